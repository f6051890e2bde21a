import { Button } from '@mantine/core';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type SaveState, useCsvExport } from '../../state/save.ts';
import type { Receipt } from '../../state/stream.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProgressLabel } from '../../ui/progress-label.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './streams.module.css';

/** Every stored point of a stream as a file, with progress, until it is there or given up. */
export function PointsPanel({ receipt }: { receipt: Receipt }) {
  const { state, start, cancel } = useCsvExport(receipt.stream.id);
  const total = receipt.counts.pointsStored;
  const isSaving = state.kind === 'saving';
  return (
    <Panel title="Points as a file">
      <div className={layout.closeStack} data-testid="export">
        <Quiet>
          One line a point: time, channel, unit, value, and whether the service has it. CSV, for any spreadsheet;
          numbers keep every digit.
        </Quiet>
        {isSaving && (
          <ProgressLabel value={state.points} max={Math.max(total, state.points, 1)}>
            {formatCounted(state.points, 'point')} of {formatCounted(total, 'point')} written
          </ProgressLabel>
        )}
        <div className={classes.buttons}>
          {isSaving ? (
            <Button variant="default" onClick={cancel}>
              Stop the export
            </Button>
          ) : (
            <Button variant="default" disabled={total === 0} onClick={start}>
              Export as CSV
            </Button>
          )}
        </div>
        <Outcome state={state} total={total} />
      </div>
    </Panel>
  );
}

function Outcome({ state, total }: { state: SaveState; total: number }) {
  switch (state.kind) {
    case 'idle':
    case 'saving':
      return null;
    case 'cancelled':
      return <Notice tone="stopped" message="The export was stopped; no file was made." />;
    case 'failed':
      return <Notice tone="attention" isUrgent {...wordsOf(state.thrown)} />;
    case 'done': {
      const { points, damagedPoints, fileName } = state;
      const gone = total - points - damagedPoints;
      const older =
        gone > 0 ? `${formatCounted(gone, 'older point')} are kept at the service only and are not in it. ` : '';
      const damaged =
        damagedPoints > 0
          ? `${formatCounted(damagedPoints, 'point')} were altered by the disk and left out: check the disk, and copy the data folder away.`
          : '';
      return (
        <Notice
          tone={damagedPoints > 0 ? 'attention' : 'ok'}
          message={`${formatCounted(points, 'point')} written to ${fileName}, in your folder of downloads.`}
          hint={`${older}${damaged}`.trim()}
        />
      );
    }
  }
}
