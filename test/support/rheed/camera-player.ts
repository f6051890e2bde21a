// A simulated RHEED camera: it plays a plan at a rate, in any of the ways in which camera programs leave frames behind, and
// knows afterwards what it did.
import { type CameraFilesOptions, openCameraFiles } from './camera-files.ts';

export type { CameraKind } from './camera-files.ts';

/** What the camera does next. */
type CameraDeed =
  | { readonly kind: 'frames'; readonly count: number }
  /** Frames that are dropped: their numbers and times pass, nothing is written. */
  | { readonly kind: 'lose'; readonly count: number }
  /** The camera is stalled; no number passes. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** The recording begins again. */
  | { readonly kind: 'restart' };

export interface CameraPlan extends CameraFilesOptions {
  readonly fps: number;
  readonly deeds: readonly CameraDeed[];
  /** Number of the first frame; a recording that begins again begins at 0. */
  readonly firstNumber: number;
}

/** What was done. */
export interface CameraTruth {
  readonly written: number;
  readonly lost: number;
  /** Numbers of lost frames, from and to. */
  readonly lostRanges: readonly (readonly [number, number])[];
  readonly stalls: number;
  readonly restarts: number;
  readonly rollovers: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lastNumber: number;
}

/**
 * Play a plan.
 *
 * @param untilMs - how to wait until a moment.
 * @returns what was done. Frames that are late are written at once: the rate holds over the whole, as with a camera.
 */
export async function playCamera(plan: CameraPlan, untilMs: (timeMs: number) => Promise<void>): Promise<CameraTruth> {
  const { fps, deeds, rollsOverAt } = plan;
  const files = openCameraFiles(plan);
  const lostRanges: [number, number][] = [];
  let [written, lost, stalls, restarts, rollovers] = [0, 0, 0, 0, 0];
  const firstMs = Date.now();
  let timeMs = firstMs;
  let [next, lastNumber, lastMs] = [plan.firstNumber, plan.firstNumber, firstMs];
  const pass = () => {
    timeMs += 1000 / fps;
    next += 1;
    if (next !== rollsOverAt) return;
    next = 0;
    rollovers += 1;
  };
  try {
    for (const deed of deeds) {
      if (deed.kind === 'stall') {
        timeMs += deed.ms;
        stalls += 1;
      } else if (deed.kind === 'restart') {
        files.restart();
        next = 0;
        restarts += 1;
      } else if (deed.kind === 'lose') {
        lostRanges.push([next, next + deed.count - 1]);
        lost += deed.count;
        for (let frame = 0; frame < deed.count; frame++) {
          files.lose(next);
          pass();
        }
      } else {
        for (let frame = 0; frame < deed.count; frame++) {
          await untilMs(timeMs);
          files.write(next, timeMs);
          [lastNumber, lastMs] = [next, timeMs];
          written += 1;
          pass();
        }
      }
    }
  } finally {
    files.close();
  }
  return { written, lost, lostRanges, stalls, restarts, rollovers, firstMs, lastMs, lastNumber };
}
