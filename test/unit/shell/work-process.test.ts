import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startDesktopWork } from '../../../src-main/shell/work-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Answers each message with it and with the folder for temporary files; the keys that it was given come first. */
const SCRIPT = `
  process.parentPort.on('message', ({ data }) => process.parentPort.postMessage([data, process.env.TMPDIR]));
  process.parentPort.postMessage(Object.keys(process.env).filter((name) => /^epistream_/i.test(name)));`;

test('the desktop talks with a process of its own, which learns no key, and hears once that it ended', async () => {
  vi.stubEnv('EPISTREAM_API_KEY', 'a-key-of-a-test-0123456789');
  const folder = tempFolder('work');
  const script = join(folder, 'work.mjs');
  writeFileSync(script, SCRIPT);
  const heard: unknown[] = [];
  let ends = 0;
  const work = startDesktopWork(script, folder, { onMessage: (message) => heard.push(message), onEnd: () => ends++ });
  await vi.waitFor(() => expect(heard).toEqual([[]]), 20_000);
  work.send({ job: 1 });
  await vi.waitFor(() => expect(heard).toEqual([[], [{ job: 1 }, folder]]), 20_000);
  work.kill();
  await vi.waitFor(() => expect(ends).toBe(1), 20_000);
  vi.unstubAllEnvs();
});
