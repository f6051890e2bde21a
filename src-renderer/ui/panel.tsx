import { useId } from 'react';
import classes from './ui.module.css';

interface PanelProps {
  /** Foreign text in <bdi>. */
  title: React.ReactNode;
  /** What stands at the right of the title. */
  aside?: React.ReactNode;
  children: React.ReactNode;
}

/** A titled part of a screen; a landmark of its own for screen readers. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.panelHead}>
        <h2 id={id} className={classes.panelTitle}>
          <bdi>{title}</bdi>
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
