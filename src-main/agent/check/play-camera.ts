// A simulated camera for a folder, in any of the ways in which camera programs leave frames behind: to try the settings of a
// counter before the camera is there.
import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { AgentError } from '../../model/agent-error.ts';
import { type CameraKind, type CameraTruth, playCamera } from '../../sources/simulator/camera-player.ts';

export type { CameraKind, CameraTruth };

/** What a source of kind rheed needs to count each kind, as in the settings; PLACE is the folder, or the port. */
export const CAMERA_COUNTERS: Readonly<Record<CameraKind, string>> = {
  images: "{ type: images, path: 'PLACE', match: 'rheed_{frame}.bmp' }",
  'timed-images':
    "{ type: images, path: 'PLACE', match: 'image_{time}.pgm', time_format: yyyy-MM-dd___HH-mm-ss.SSS }, time_zone: UTC",
  'ksa-movie': "{ type: movie, path: 'PLACE', match: '*.imm' }",
  'avi-movie': "{ type: movie, path: 'PLACE', match: '*.avi' }",
  'counter-file': "{ type: counter-file, path: 'PLACE/counter.txt', pattern: 'frames={frame} dropped={lost}' }",
  log: "{ type: log, path: 'PLACE', match: '*.jsonl', field: frame, time_field: t }",
  port: "{ type: serial, port: 'PLACE', pattern: 'FC {frame} {lost}' }",
};

/** Frames that are dropped half way. */
const LOST = 3;

export interface PlayOptions {
  readonly kind: CameraKind;
  /** Absent or empty, absolute. */
  readonly folder: string;
  /** Frames per second, above 0. */
  readonly fps: number;
  readonly seconds: number;
  /** Time before the first frame, so that a counter can look at the empty folder, milliseconds. */
  readonly waitMs: number;
  /** Told when there is something to count: the folder, or `tcp://127.0.0.1:port`. */
  readonly onReady: (place: string) => void;
}

/**
 * Play a camera that drops three frames half way.
 *
 * @returns what it did.
 * @throws `rheed.folder-in-use` for a folder that holds something; those of the file system.
 */
export async function playInto({ kind, folder, fps, seconds, waitMs, onReady }: PlayOptions): Promise<CameraTruth> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    throw new AgentError({
      code: 'rheed.folder-in-use',
      message: `The folder ${folder} is not empty.`,
      hint: 'Name a new folder: the simulated camera writes beside nothing of yours.',
      retry: 'after-human',
    });
  }
  const frames = Math.max(2, Math.round(fps * seconds));
  const half = Math.floor(frames / 2);
  const deeds = [
    { kind: 'frames', count: half },
    { kind: 'lose', count: LOST },
    { kind: 'frames', count: frames - half },
  ] as const;
  if (kind !== 'port') onReady(folder);
  const onListening = (port: number) => onReady(`tcp://127.0.0.1:${port}`);
  const untilMs = async (timeMs: number) => {
    const leftMs = timeMs + waitMs - Date.now();
    if (leftMs > 0) await setTimeout(leftMs);
  };
  return playCamera({ kind, folder, fps, deeds, firstNumber: 0, rollsOverAt: null, onListening }, untilMs);
}
