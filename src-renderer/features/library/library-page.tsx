import { useKnown } from '../../state/library.ts';
import layout from '../../ui/layout.module.css';
import { InstrumentsPanel } from './instruments-panel.tsx';
import classes from './library.module.css';
import { ProjectsPanel } from './projects-panel.tsx';
import { TargetsPanel } from './targets-panel.tsx';

/** What growths refer to: target materials as stacks, and beside them projects with their samples, and instruments. */
export function LibraryPage() {
  const known = useKnown();
  return (
    <div className={classes.columns}>
      <div className={layout.column}>
        <TargetsPanel />
      </div>
      <div className={layout.column}>
        <ProjectsPanel known={known} />
        <InstrumentsPanel known={known} />
      </div>
    </div>
  );
}
