// The other end of camera-process.ts.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { CameraPlan, CameraTruth } from '../rheed/camera-player.ts';

export type Plan = Omit<CameraPlan, 'toLocal' | 'onListening'> & { readonly zone?: string };

export interface Camera {
  /** Port that the counter talks on, for that kind. */
  readonly port: Promise<number>;
  /** Tell one of that kind that somebody listens: it plays from then on. */
  begin(): void;
  /** What it did, once it is through. */
  readonly truth: Promise<CameraTruth>;
}

/** Start a camera in a process of its own; it ends with the test. */
export function startCamera(plan: Plan): Camera {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'camera-process.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = Promise.withResolvers<number>();
  const truth = Promise.withResolvers<CameraTruth>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { port?: number; truth?: CameraTruth };
    if (said.port !== undefined) port.resolve(said.port);
    if (said.truth) truth.resolve(said.truth);
  });
  child.on('exit', (code) => truth.reject(new Error(`the camera ended with code ${code}`)));
  truth.promise.catch(() => {}); // A test that awaits it gets the error; the end does not fail a test that does not wait.
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin.write(`${JSON.stringify(plan)}\n`);
  return { port: port.promise, truth: truth.promise, begin: () => void child.stdin.write('begin\n') };
}
