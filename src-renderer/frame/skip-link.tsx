import classes from './frame.module.css';

/** The page itself, behind banner and navigation. */
export const PAGE_ID = 'page';

const words = { skip: 'Skip to the page' } as const;

/** The first thing that Tab reaches: it leads past the navigation. A button, since addresses behind # are pages here. */
export function SkipLink() {
  return (
    <button type="button" className={classes.skip} onClick={() => document.getElementById(PAGE_ID)?.focus()}>
      {words.skip}
    </button>
  );
}
