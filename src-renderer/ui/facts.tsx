import classes from './ui.module.css';

export interface Fact {
  readonly label: string;
  readonly value: React.ReactNode;
  readonly title?: string;
  /** Takes a line of its own. */
  readonly isWide?: boolean;
}

/** A list of facts: each a small label and what it says; roomy for names and stamps, which are longer than numbers. */
export function Facts({ facts, isRoomy = false }: { facts: readonly Fact[]; isRoomy?: boolean }) {
  return (
    <dl className={classes.facts} data-roomy={isRoomy}>
      {facts.map(({ label, value, title, isWide }) => (
        <div key={label} title={title} data-wide={isWide}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
