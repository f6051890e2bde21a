// What a soak of the whole agent comes to: everything that the service holds against everything that was there to be
// captured. Logs are compared with their files, instruments with what they said, the camera with what it wrote, and
// whatever the agent's own queue holds must be at the service as well.

import { openStore } from '../../src-main/queue/store/store.ts';
import type { CameraTruth } from '../support/rheed/camera-player.ts';
import type { Series } from './delivered-series.ts';
import { judgeChannel } from './judge.ts';
import { judgeSeries, type SeriesVerdict } from './judge-series.ts';
import { readLedger, readQueuePoints } from './queue-points.ts';
import type { TroubledLine } from './troubled-line.ts';

/** Two processes take the time of day at different moments; between them it may have been corrected. */
const CLOCKS_APART_MS = 50;
const CAMERA_CHANNELS = ['frames counted', 'frame number', 'frames lost'];

export interface WholeTruth {
  /** Channels of the logs. */
  readonly logs: ReadonlyMap<string, Series>;
  readonly lines: readonly TroubledLine[];
  readonly camera: CameraTruth;
  readonly cameraId: string;
  /** Before it nothing was captured, Unix ms. */
  readonly startedMs: number;
  /** Until then instruments were there, Unix ms. */
  readonly stoppedMs: number;
}

/** One kind of source. */
export interface Finding {
  readonly what: string;
  readonly points: number;
  readonly lost: number;
  readonly doubled: number;
  readonly altered: number;
  readonly wrong: readonly string[];
}

const nothing: Series = { timesMs: [], values: [] };
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function fold(what: string, verdicts: readonly SeriesVerdict[], moreWrong: readonly string[] = []): Finding {
  const all = (figure: 'expected' | 'lost' | 'doubled' | 'altered') => sum(verdicts.map((one) => one[figure]));
  const wrong = [...verdicts.flatMap((one) => one.wrong), ...moreWrong];
  const points = all('expected');
  if (points === 0) wrong.push(`${what}: nothing was there to be captured`);
  return { what, points, lost: all('lost'), doubled: all('doubled'), altered: all('altered'), wrong };
}

/** Judge all of it. Takes what was there, what the service holds, and the agent's queue, which nobody has open. */
export async function judgeWhole(
  truth: WholeTruth,
  delivered: ReadonlyMap<string, Series>,
  queuePath: string,
): Promise<Finding[]> {
  const at = (name: string) => delivered.get(name) ?? nothing;
  const store = await openStore(queuePath);
  const ids = truth.lines.flatMap(({ truths }) => truths.map(({ sourceId }) => sourceId));
  const { gaps, refusedMs } = await readLedger(store, ids).finally(() => store.close());
  const inQueue = (sourceId: string, channel: string) => readQueuePoints(queuePath, sourceId, channel, truth.startedMs);
  const againstQueue = (sourceId: string, channel: string) => {
    const { timesMs, values } = inQueue(sourceId, channel);
    const stored = { timesMs: timesMs.map(Math.round), values };
    return judgeSeries(`${sourceId} ${channel}`, stored, at(channel));
  };
  const findings = [
    fold(
      'logs',
      [...truth.logs].map(([name, expected]) => judgeSeries(name, expected, at(name))),
    ),
  ];
  for (const line of truth.lines) {
    const verdicts: SeriesVerdict[] = [];
    const wrong: string[] = [];
    for (const said of line.truths) {
      verdicts.push(againstQueue(said.sourceId, said.channel));
      const own = gaps.filter(({ sourceId }) => sourceId === said.sourceId);
      // Gaps begin and end at readings to the last digit of their stamps, which the queue keeps.
      const points = inQueue(said.sourceId, said.channel);
      const verdict = judgeChannel(
        said,
        points,
        own,
        refusedMs(said.sourceId, said.channel),
        line.outages,
        truth.stoppedMs,
        CLOCKS_APART_MS,
      );
      wrong.push(...verdict.wrong, ...verdict.wrongUnits, ...verdict.unnamed);
    }
    findings.push(fold(line.name, verdicts, wrong));
  }
  const camera = CAMERA_CHANNELS.map((channel) => againstQueue(truth.cameraId, channel));
  findings.push(fold('camera', camera, judgeCamera(truth.camera, delivered)));
  return findings;
}

/** Whether the counter's last figures are what the camera did. */
function judgeCamera(camera: CameraTruth, delivered: ReadonlyMap<string, Series>): string[] {
  return [
    ['frames counted', camera.written] as const,
    ['frames lost', camera.lost] as const,
    ['frame number', camera.lastNumber] as const,
  ].flatMap(([channel, real]) => {
    const told = delivered.get(channel)?.values.at(-1);
    return told === real ? [] : [`camera: ${channel} ended at ${told}, in truth ${real}`];
  });
}
