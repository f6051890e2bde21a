// The camera of a soak: numbered images at a rate, by a plan that loses frames and stands still by chance.
import { join } from 'node:path';
import { Part } from '../bench/parts/rig.ts';
import type { Chance } from '../simulation/random.ts';
import type { CameraPlan, CameraTruth } from '../support/rheed/camera-player.ts';

/** Frames per second. */
export const CAMERA_FPS = 20;
/** Images that are there at a time: a camera program that keeps all would fill any disk. */
const KEEP = 2000;
const ROLLS_OVER_AT = 10_000;

/** What a camera does in so many seconds. */
function planDeeds(chance: Chance, seconds: number): CameraPlan['deeds'] {
  const deeds: CameraPlan['deeds'][number][] = [];
  for (let left = Math.round(seconds * CAMERA_FPS); left > 0; ) {
    const count = Math.min(left, chance.between(10, 60) * CAMERA_FPS);
    deeds.push({ kind: 'frames', count });
    left -= count;
    if (left <= 0) break;
    if (chance.happens(0.5)) deeds.push({ kind: 'lose', count: chance.between(1, 5) });
    else {
      const ms = chance.between(500, 4000);
      deeds.push({ kind: 'stall', ms });
      left -= Math.round((ms * CAMERA_FPS) / 1000);
    }
  }
  return deeds;
}

export class SoakCamera extends Part {
  readonly truth: Promise<CameraTruth>;

  /** Start one that films for so long, as a process of its own. */
  constructor(folder: string, chance: Chance, seconds: number) {
    super(join(import.meta.dirname, '../support/processes/camera-process.ts'), []);
    const told = Promise.withResolvers<CameraTruth>();
    this.truth = told.promise;
    this.truth.catch(() => {}); // The caller that awaits it gets the error.
    this.lines.on('line', (line) => {
      const { truth } = JSON.parse(line) as { truth?: CameraTruth };
      if (truth) told.resolve(truth);
    });
    this.child.on('exit', (code) => told.reject(new Error(`The camera ended with code ${code}.`)));
    const deeds = planDeeds(chance, seconds);
    const plan: CameraPlan = {
      ...{ kind: 'images', folder, fps: CAMERA_FPS, firstNumber: 0, rollsOverAt: ROLLS_OVER_AT, keep: KEEP },
      deeds,
    };
    this.tell(JSON.stringify(plan));
  }
}
