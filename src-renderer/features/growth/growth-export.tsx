import { Button } from '@mantine/core';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import type { Growth } from '../../state/growth.ts';
import { type SaveState, useGrowthExport } from '../../state/save.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProgressLabel } from '../../ui/progress-label.tsx';
import { Quiet } from '../../ui/quiet.tsx';

/** All readings of a growth as one table, with progress, until it is there or given up. */
export function GrowthExport({ growth }: { growth: Growth }) {
  const { state, start, cancel } = useGrowthExport(growth.id);
  const isSaving = state.is === 'saving';
  return (
    <Panel title="Readings as a file">
      <div className={layout.closeStack} data-testid="growth-export">
        <Quiet>
          A row for each instant, a column for each channel, for Origin, Igor, spreadsheets and Python. Gaps stay blank
          and are named in its first lines. The command “epistream export” also writes Parquet, HDF5 and a package.
        </Quiet>
        {isSaving && (
          <ProgressLabel value={state.done ?? 0} max={1}>
            {formatCounted(state.points, 'point')} written
          </ProgressLabel>
        )}
        <div>
          {isSaving ? (
            <Button variant="default" onClick={cancel}>
              Stop the export
            </Button>
          ) : (
            <Button variant="default" onClick={start}>
              Export as CSV
            </Button>
          )}
        </div>
        <Outcome state={state} />
      </div>
    </Panel>
  );
}

function Outcome({ state }: { state: SaveState }) {
  switch (state.is) {
    case 'idle':
    case 'saving':
      return null;
    case 'cancelled':
      return <Notice tone="stopped" message="The export was stopped; no file was made." />;
    case 'failed':
      return <Notice tone="attention" isUrgent {...wordsOf(state.thrown)} />;
    case 'done': {
      const { points, damagedPoints, pointsGone, fileName } = state;
      const gone = pointsGone > 0 ? `${formatCounted(pointsGone, 'older point')} are kept at the service only. ` : '';
      const damaged = damagedPoints > 0 ? `${formatCounted(damagedPoints, 'point')} were altered by the disk.` : '';
      return (
        <Notice
          tone={damagedPoints > 0 ? 'attention' : 'ok'}
          message={`${formatCounted(points, 'point')} written to ${fileName}, in your folder of downloads.`}
          hint={`${gone}${damaged}`.trim()}
        />
      );
    }
  }
}
