import classes from './ui.module.css';

/** A list of facts: each a small label and what it says. */
export function Facts({ facts }: { facts: readonly { label: string; value: React.ReactNode; title?: string }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, title }) => (
        <div key={label} title={title}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
