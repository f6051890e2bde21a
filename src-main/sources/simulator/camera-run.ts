// The camera of the simulated tool: numbered images at a steady rate for as long as the tool runs, of which only the newest
// are kept. It works in a folder of its own, which it empties when it begins.
import { mkdirSync, rmSync } from 'node:fs';
import type { Clock } from '../../platform/clock.ts';
import { makeImageWriter } from './camera-images.ts';

/** The counter has looked into the empty folder by then, milliseconds. */
const BEGIN_AFTER_MS = 1000;
/** Frames of a time that is longer past than this were never taken (the PC slept), milliseconds. */
const BEHIND_MS = 1000;

export interface SimulatedCamera {
  /** Belongs to the camera alone: whatever is in it is removed. */
  readonly folder: string;
  /** Frames per second, above 0. */
  readonly fps: number;
  /** Images that are kept, at least 1. */
  readonly keep: number;
}

/**
 * Make the folder of a camera, empty.
 *
 * @throws those of the file system.
 */
export function prepareCamera({ folder }: SimulatedCamera): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/**
 * Write images until aborted, numbered from 0.
 *
 * @param simulatedCamera - a camera whose folder is prepared.
 * @throws those of the file system, as a full disk.
 */
export async function runCamera({ folder, fps, keep }: SimulatedCamera, clock: Clock, signal: AbortSignal) {
  const write = makeImageWriter(folder, keep);
  let nextMs = clock.monotonicMs() + BEGIN_AFTER_MS;
  for (let number = 0; !signal.aborted; ) {
    const nowMs = clock.monotonicMs();
    if (nowMs - nextMs > BEHIND_MS) nextMs = nowMs;
    if (nextMs > nowMs) {
      await clock.sleep(nextMs - nowMs, signal);
      continue;
    }
    write(number);
    number += 1;
    nextMs += 1000 / fps;
  }
}
