import classes from './ui.module.css';

export interface Fact {
  readonly label: string;
  readonly value: React.ReactNode;
  readonly title?: string;
  /** Takes a line of its own. */
  readonly isWide?: boolean;
}

/** A list of facts: each a small label and what it says. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, title, isWide }) => (
        <div key={label} title={title} data-wide={isWide}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
