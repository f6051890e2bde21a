// `epistream rheed play`: a simulated camera in a folder, to try a counter on. It needs no agent.

import { resolve } from 'node:path';
import { CAMERA_COUNTERS, type CameraKind, playInto } from '../agent/check/play-camera.ts';
import { AgentError } from '../model/agent-error.ts';
import { formatCount } from '../model/format.ts';
import { FPS_MAX } from '../model/rheed-session.ts';
import { EXIT } from './shared/exit.ts';
import { usageError } from './shared/options.ts';

const KINDS = Object.keys(CAMERA_COUNTERS) as CameraKind[];
/** Longer than this a folder of images grows beyond 100 MB, seconds. */
const SECONDS_MAX = 600;
/** A counter that is started meanwhile sees the first frame. */
const WAIT_MS = 2000;

function toNumber(name: string, text: string | undefined, fallback: number, max: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (value > 0 && value <= max) return value;
  throw usageError('rheed', `--${name} ${text}: not above 0 and at most ${max}.`);
}

/**
 * Play a camera and say what it did. Takes the kind, a folder that is empty or not there, frames per second and seconds, as
 * texts.
 *
 * @returns exit code 0.
 * @throws `cli.usage`, `rheed.folder-in-use`.
 */
export async function play(
  folder: string,
  values: {
    readonly kind?: string | undefined;
    readonly fps?: string | undefined;
    readonly seconds?: string | undefined;
  },
): Promise<number> {
  const kind = KINDS.find((one) => one === (values.kind ?? 'images'));
  const fps = toNumber('fps', values.fps, 30, FPS_MAX);
  const seconds = toNumber('seconds', values.seconds, 60, SECONDS_MAX);
  if (kind === undefined) {
    throw new AgentError({
      code: 'cli.usage',
      message: `epistream rheed: --kind ${values.kind}: there is no such camera.`,
      hint: `Kinds: ${KINDS.join(', ')}.`,
    });
  }
  const onReady = (place: string) => {
    console.log(`Settings: - { id: camera, kind: rheed, counter: ${CAMERA_COUNTERS[kind].replace('PLACE', place)} }`);
  };
  const { written, lost, lostRanges } = await playInto({
    kind,
    folder: resolve(folder),
    fps,
    seconds,
    waitMs: WAIT_MS,
    onReady,
  });
  const ranges = lostRanges.map(([from, to]) => `${from} to ${to}`).join(', ');
  console.log(`Wrote ${formatCount(written)} frames, dropped ${lost} (numbers ${ranges}).`);
  return EXIT.done;
}
