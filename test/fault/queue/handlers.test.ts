// Part A, row 24: one handler a run throws an unexpected error: the agent restarts that part or
// skips it and reports the error; everything else continues, and no point is lost.
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAgent } from '../../../src-main/agent/agent.ts';
import { Journal } from '../../../src-main/agent/pipeline/journal.ts';
import { SourcePanel } from '../../../src-main/agent/pipeline/source-panel.ts';
import { SnapshotFeed } from '../../../src-main/agent/status/snapshot-feed.ts';
import { Line } from '../../../src-main/delivery/upload/line.ts';
import { StreamUpload } from '../../../src-main/delivery/upload/stream-upload.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import { ClockWatch } from '../../../src-main/platform/clock-watch.ts';
import { sessionKeyStore } from '../../../src-main/platform/secrets.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { ReaderThread } from '../../../src-main/sources/log/reader/reader-thread.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** What is thrown: a bug, not one of the faults that are expected. */
const bug = () => new TypeError('injected: reading a property of undefined');

/** Let the next calls of a method throw, as many as said. */
function throwIn<T extends object>(owner: T, method: keyof T & string, times = 1): () => void {
  return () => {
    const spy = vi.spyOn(owner as Record<string, () => unknown>, method);
    for (let n = 0; n < times; n++) {
      spy.mockImplementationOnce(() => {
        throw bug();
      });
    }
    onTestFinished(() => spy.mockRestore());
  };
}

/** Where it is thrown. */
const HANDLERS: readonly [where: string, when: 'from the start' | 'while it runs', inject: () => void][] = [
  ['as a run is given to its thread', 'from the start', throwIn(ReaderThread.prototype, 'run')],
  ['as a capture is taken', 'while it runs', throwIn(Recorder.prototype, 'capture')],
  ['as a channel is declared', 'from the start', throwIn(Recorder.prototype, 'declare')],
  ['in the tick of the recorder, three times', 'while it runs', throwIn(Recorder.prototype, 'tick', 3)],
  ['in the look at the clocks', 'while it runs', throwIn(ClockWatch.prototype, 'look')],
  ['as the journal settles', 'while it runs', throwIn(Journal.prototype, 'settle')],
  ['as a source is shown', 'while it runs', throwIn(SourcePanel.prototype, 'captured')],
  ['as a snapshot is asked for', 'while it runs', throwIn(SnapshotFeed.prototype, 'touch', 3)],
  ['as the uploader hears of a commit', 'while it runs', throwIn(Uploader.prototype, 'notify')],
  ['as a stream hears of a commit', 'while it runs', throwIn(StreamUpload.prototype, 'notify')],
  ['as a request asks for its place', 'while it runs', throwIn(Line.prototype, 'enter')],
];

describe('24: an exception', () => {
  test.each(HANDLERS)('%s, %s', async (_, when, inject) => {
    const { service, client } = await openServiceRig();
    const rig = new LogAgent({
      url: service.url,
      service: 'resend: repeat',
      key: service.apiKey,
      pointsPerChunk: 1,
      sources: ['{ id: tool, kind: simulator, interval: 100ms }'],
    });
    mkdirSync(rig.data, { recursive: true });
    rig.write(5);
    const keys = sessionKeyStore(service.apiKey);
    const agent = createAgent({ dataFolder: rig.data, settingsFile: rig.config, version: 'test', keys });
    onTestFinished(() => agent.stop());
    const delivered = async (sourceId: string) =>
      (await agent.pipeline?.tally())?.streams
        .filter((stream) => stream.sourceId === sourceId)
        .reduce((sum, { pointsAcknowledged }) => sum + pointsAcknowledged, 0) ?? 0;
    if (when === 'from the start') inject();
    await agent.start();
    await expect.poll(() => delivered('log'), { timeout: 60_000 }).toBe(5);

    if (when === 'while it runs') inject();
    rig.write(5);
    const before = await delivered('tool');
    await expect.poll(() => delivered('tool'), { timeout: 60_000 }).toBeGreaterThan(before);
    rig.write(5);
    await expect.poll(() => delivered('log'), { timeout: 60_000 }).toBe(15);
    expect(agent.snapshot.phase).toBe('running');
    const isTold = () => agent.snapshot.journal.some(({ message }) => message.includes('injected'));
    await expect.poll(isTold, { timeout: 60_000 }).toBe(true);
    await agent.stop();
    await rig.expectDelivered(client);
  });
});

describe.skipIf(process.platform === 'win32')('24: in the process itself', () => {
  /** The agent with a script of somebody's in its main thread, which does something nobody catches when told to. */
  async function begin(deed = '') {
    const { service, client } = await openServiceRig();
    const rig = new LogAgent({ url: service.url, service: 'resend: repeat', key: service.apiKey });
    rig.write(5);
    const folder = tempFolder('beside');
    const [file, flag] = [join(folder, 'beside.mjs'), join(folder, 'now')];
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const timer = setInterval(() => {
  if (!existsSync(${JSON.stringify(flag)})) return;
  clearInterval(timer);
  ${deed}
}, 20).unref();
if (!isMainThread) clearInterval(timer);
`,
    );
    const running = await rig.start({ NODE_OPTIONS: `--import=${pathToFileURL(file)}` });
    await rig.until('delivered', ({ sources: [log], store }) => log?.rowsRead === 5 && store?.waitingPoints === 0);
    return { rig, running, client, now: () => writeFileSync(flag, '') };
  }

  test.each([
    ['an uncaught exception', "throw new TypeError('injected');"],
    ['an unhandled rejection', "void Promise.reject(new Error('injected'));"],
  ])('%s is told and does not end the recording', async (_, deed) => {
    const { rig, running, client, now } = await begin(deed);
    now();
    await running.waitFor(/error: Unexpected fault: injected/);
    rig.write(5);
    await rig.until('the log is read on', ({ sources: [log] }) => log?.rowsRead === 10);
    await rig.stop(running);
    expect(readFileSync(join(rig.data, 'logs/epistream.log'), 'utf8')).toContain('beside.mjs');
    expect((await rig.drain()).code).toBe(0);
    await rig.expectDelivered(client);
  });

  test('recording continues after the reader of stdout and stderr has closed them', async () => {
    const { rig, running, client } = await begin();
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    rmSync(rig.logs, { recursive: true });
    await rig.until('there is something to print', ({ sources: [log] }) => log?.state === 'waiting');
    mkdirSync(rig.logs);
    rig.write(0);
    await rig.until('the folder is back', ({ sources: [log] }) => log?.state === 'running');
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
    expect(running.child.exitCode).toBe(0);
    expect((await readDelivered(client)).get('x')).toHaveLength(5);
  });
});
