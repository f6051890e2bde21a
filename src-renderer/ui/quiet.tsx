import classes from './ui.module.css';

/** What stands where nothing is to be shown yet: a sentence, never an empty hole. */
export function Quiet({ children }: { children: React.ReactNode }) {
  return <p className={classes.quiet}>{children}</p>;
}
