import { useRheedMetadata, useRheedSettings } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

const NONE = 'not set';
const number = (value: number | null, unit: string) =>
  value === null ? NONE : `${value.toLocaleString('en-US', { maximumFractionDigits: 3 })}${unit}`;

/** What the service holds of a RHEED recording: the settings of its session, and its processed video. */
export function RheedPanel({ dataId }: { dataId: string }) {
  return (
    <Panel title="RHEED">
      <div className={layout.stack}>
        <h3 className={classes.part}>Session</h3>
        <Session dataId={dataId} />
        <h3 className={classes.part}>Processed video</h3>
        <Video dataId={dataId} />
      </div>
    </Panel>
  );
}

function Session({ dataId }: { dataId: string }) {
  const settings = useRheedSettings(dataId);
  const { data } = settings;
  return (
    <Answered
      isPending={settings.isPending}
      fault={faultOf(settings)}
      loading="Asking for the settings of the session."
    >
      {data && (
        <Facts
          facts={[
            { label: 'Name', value: <bdi>{data.name || NONE}</bdi>, isWide: true },
            { label: 'Frame rate', value: number(data.fps, ' fps') },
            { label: 'Rotation', value: number(data.rotationsPerMin, ' rpm') },
            {
              label: 'Rotational period',
              value: periodText(data.rotationalPeriod, data.fps),
              title: 'The interface calls it frames per turn in answers, and seconds in the start request.',
              isWide: true,
            },
            ...(data.createdSample ? [{ label: 'Sample made with it', value: <bdi>{data.createdSample}</bdi> }] : []),
          ]}
        />
      )}
    </Answered>
  );
}

/** Both readings of a period: which one is meant, the interface leaves open. */
function periodText(period: number | null, fps: number | null): string {
  if (period === null) return NONE;
  const seconds = fps ? `, which is ${number(period / fps, ' s')} at this rate` : '';
  return `${number(period, ' frames per turn')}${seconds}`;
}

function Video({ dataId }: { dataId: string }) {
  const metadata = useRheedMetadata(dataId);
  const { data } = metadata;
  const range = (start: number | null, end: number | null) =>
    start === null && end === null ? NONE : `frames ${number(start, '')} to ${number(end, '')}`;
  return (
    <Answered isPending={metadata.isPending} fault={faultOf(metadata)} loading="Asking for the processed video.">
      {data ? (
        <Facts
          facts={[
            { label: 'Frame rate', value: number(data.fps, ' fps') },
            { label: 'Frames', value: number(data.frames, '') },
            { label: 'Inner window', value: range(data.innerStart, data.innerEnd), isWide: true },
            { label: 'Outer window', value: range(data.outerStart, data.outerEnd), isWide: true },
          ]}
        />
      ) : (
        <Quiet>The service holds no processed video of this entry.</Quiet>
      )}
    </Answered>
  );
}
