import classes from './progress-label.module.css';

interface ProgressLabelProps {
  /** How far it is, in the same unit as `max`. */
  value: number;
  max: number;
  /** The same as text. */
  children: React.ReactNode;
}

/** How far some work is: as text, and as a bar under it. */
export function ProgressLabel({ value, max, children }: ProgressLabelProps) {
  return (
    <label className={classes.progress}>
      {children}
      <progress max={max} value={value} />
    </label>
  );
}
