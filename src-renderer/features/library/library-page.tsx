import { useKnown } from '../../state/library.ts';
import { InstrumentsPanel } from './instruments-panel.tsx';
import classes from './library.module.css';
import { ProjectsPanel } from './projects-panel.tsx';
import { TargetsPanel } from './targets-panel.tsx';

/** What growths refer to: target materials as stacks, and beside them projects with their samples, and instruments. */
export function LibraryPage() {
  const known = useKnown();
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <TargetsPanel />
      </div>
      <div className={classes.column}>
        <ProjectsPanel known={known} />
        <InstrumentsPanel known={known} />
      </div>
    </div>
  );
}
