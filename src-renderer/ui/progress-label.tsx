import classes from './progress-label.module.css';

interface ProgressLabelProps {
  /** How far it is, in the same unit as `max`. */
  value: number;
  max: number;
  /** The same in words. */
  children: React.ReactNode;
}

/** How far some work is: in words, and as a bar under them. */
export function ProgressLabel({ value, max, children }: ProgressLabelProps) {
  return (
    <label className={classes.progress}>
      {children}
      <progress max={max} value={value} />
    </label>
  );
}
