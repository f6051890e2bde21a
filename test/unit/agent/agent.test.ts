import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Agent, createAgent } from '../../../src-main/agent/agent.ts';
import type { Argument } from '../../../src-main/contract/table.ts';
import type { ApiKeyStore } from '../../../src-main/platform/secrets.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** An agent on a folder of its own, with a log folder beside it. */
function rig() {
  const top = tempFolder('agent');
  const [data, logs, settingsFile] = [join(top, 'data'), join(top, 'logs'), join(top, 'epistream.yaml')];
  mkdirSync(data);
  mkdirSync(logs);
  writeFileSync(join(logs, 'a.csv'), 'time,x\n1700000000,1\n1700000001,2\n');
  let key: string | null = null;
  const keys: ApiKeyStore = {
    read: () => key,
    keep: async (given) => {
      key = given;
    },
  } as ApiKeyStore;
  const awake = {
    problem: null,
    wanted: [] as boolean[],
    follow: (isWanted: boolean) => void awake.wanted.push(isWanted),
  };
  /** Codes of what was told, each with the phase and the number of sources that the snapshot showed then. */
  const told: string[] = [];
  const onEvent = ({ code }: { code: string }) => {
    const { phase, sources } = agent.snapshot;
    told.push(`${code}: ${phase}, ${sources.length}`);
  };
  const agent: Agent = createAgent({ dataFolder: data, settingsFile, version: '1.2.3', keys, awake, onEvent });
  onTestFinished(() => agent.stop());
  const form: Argument<'tool', 'connect'> = {
    toolName: 'MBE-1',
    timeZone: 'UTC',
    folder: logs,
    match: '*.csv',
    backfill: 'all',
    serviceUrl: 'embedded',
    apiKey: '',
    timeFormat: '',
  };
  /** The service is away where a test needs none: a start without one costs half as much. */
  const writeSettings = (url = 'http://127.0.0.1:9') =>
    writeFileSync(
      settingsFile,
      `version: 1\nservice: { url: '${url}' }\ntool: { name: T, time_zone: UTC }\nsources: [{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }]\n`,
    );
  return { agent, awake, told, data, logs, settingsFile, form, writeSettings, keyNow: () => key };
}

const code = (code: string) => expect.objectContaining({ code });
const codes = (agent: Agent) => agent.snapshot.journal.map((entry) => entry.code);

async function until(what: string, holds: () => boolean): Promise<void> {
  const endMs = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`not within 60 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('the PC is kept awake while it records, as the settings say', async () => {
  const { agent, awake, settingsFile, writeSettings } = rig();
  await agent.start();
  expect(awake.wanted).toEqual([]);
  writeSettings();
  await agent.start();
  expect(agent.snapshot.ready.find(({ id }) => id === 'awake')?.state).toBe('ok');
  await agent.stop();
  expect(awake.wanted).toEqual([true, false]);
  writeFileSync(settingsFile, `${readFileSync(settingsFile, 'utf8')}keep_awake: false\n`);
  await agent.start();
  expect(awake.wanted).toEqual([true, false, false]);
  expect(agent.snapshot.ready.find(({ id }) => id === 'awake')?.state).toBe('none');
});

describe('phases', () => {
  test('without settings it waits on the first-run page, and calls that need a recording say so', async () => {
    const { agent } = rig();
    expect(agent.snapshot.phase).toBe('starting');
    await agent.start();
    expect(agent.snapshot).toMatchObject({ phase: 'first-run', sources: [], streams: [], service: null });
    await expect(agent.handlers.plot.listChannels(null)).rejects.toEqual(code('agent.not-running'));
    await expect(agent.handlers.plot.read({ channels: [], fromMs: 0, toMs: 1, maxPoints: 10 })).rejects.toEqual(
      code('agent.not-running'),
    );
    await expect(agent.handlers.snapshot.read(null)).resolves.toBe(agent.snapshot);
  });

  test('a run says that it has started once its snapshot shows what runs, is not started twice, and has the last word', async () => {
    const { agent, told, data, writeSettings } = rig();
    writeSettings();
    await agent.start();
    const { pipeline } = agent;
    await agent.start();
    expect(agent.snapshot.phase).toBe('running');
    expect(agent.pipeline).toBe(pipeline);
    expect(told.filter((one) => one.startsWith('agent.started'))).toEqual(['agent.started: running, 1']);
    expect(codes(agent)).toContain('agent.started');
    await agent.stop();
    // Behind all that was captured.
    expect(agent.unstored).toBeNull();
    const queue = openQueue(join(data, 'queue.db'));
    expect(queue.listEvents(1)).toMatchObject([
      { code: 'agent.stopped', message: expect.stringMatching(/^Recording stopped; everything captured is stored\./) },
    ]);
    queue.close();
  });

  test('starts, delivers what the logs hold, stops, and starts again where it stopped', async () => {
    const { agent, writeSettings } = rig();
    writeSettings('embedded');
    await agent.start();
    expect(agent.snapshot).toMatchObject({ phase: 'running', toolName: 'T', isTrial: false });
    await until('both rows are stored', () => agent.snapshot.streams[0]?.pointsStored === 2);
    await agent.stop();
    expect(agent.snapshot).toMatchObject({ phase: 'stopped', sources: [], service: null });
    expect(agent.pipeline).toBeNull();
    await agent.start();
    await until('the stream is known again', () => agent.snapshot.streams[0]?.pointsStored === 2);
    expect(codes(agent).filter((each) => each === 'agent.started')).toHaveLength(2);
    expect(new Set(agent.snapshot.journal.map(({ id }) => id)).size).toBe(agent.snapshot.journal.length);
  });

  test('a start that failed says why on the screen, and a second one works once the cause is gone', async () => {
    const { agent, settingsFile, writeSettings } = rig();
    writeFileSync(settingsFile, 'version: 1\n');
    await expect(agent.start()).rejects.toEqual(code('settings.invalid'));
    expect(agent.snapshot).toMatchObject({ phase: 'failed', sentence: { tone: 'attention' } });
    expect(agent.snapshot.sentence.text).toContain('epistream.yaml');
    expect(codes(agent)).toContain('settings.invalid');
    writeSettings();
    await agent.start();
    expect(agent.snapshot.phase).toBe('running');
    // What happened before there was a store is in it now, once, and before what came afterwards.
    const stored = await agent.pipeline?.store.listEvents(10);
    const codesStored = stored?.map(({ code }) => code).toReversed() ?? [];
    expect(codesStored.slice(0, 2)).toEqual(['settings.invalid', 'agent.started']);
    expect(codesStored.lastIndexOf('settings.invalid')).toBe(0);
  });

  test('a queue that cannot be opened fails the start and is left as it is', async () => {
    const { agent, data, writeSettings } = rig();
    writeSettings();
    const theirs = new SQLite(join(data, 'queue.db'));
    theirs.exec('CREATE TABLE of_another_program (x)');
    theirs.close();
    await expect(agent.start()).rejects.toEqual(expect.objectContaining({ code: expect.stringMatching(/^store\./) }));
    expect(agent.snapshot.phase).toBe('failed');
    const again = new SQLite(join(data, 'queue.db'));
    expect(again.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['of_another_program']);
    again.close();
  });

  test('a store that does not answer is told on the screen, with its last counts, and keeps nobody from stopping', async () => {
    const { agent, writeSettings } = rig();
    writeSettings();
    await agent.start();
    await until('both rows are delivered', () => agent.snapshot.streams[0]?.pointsStored === 2);
    await agent.pipeline?.store.close();
    await until('the fault is on the screen', () => agent.snapshot.store?.state === 'failing');
    expect(agent.snapshot.sentence).toMatchObject({
      tone: 'attention',
      text: expect.stringContaining('cannot be stored'),
    });
    expect(agent.snapshot.streams[0]?.pointsStored).toBe(2);
    await agent.stop();
    expect(agent.snapshot.phase).toBe('stopped');
  });

  test('stopping what never ran, and stopping twice, are harmless', async () => {
    const { agent } = rig();
    await agent.stop();
    await agent.stop();
    expect(agent.snapshot.phase).toBe('stopped');
  });
});

describe('trial and connect', () => {
  test('the trial records a simulated tool beside the real data, and asking for it twice starts one', async () => {
    const { agent, data } = rig();
    await agent.start();
    await Promise.all([agent.handlers.trial.start(null), agent.handlers.trial.start(null)]);
    expect(agent.snapshot).toMatchObject({ phase: 'running', isTrial: true, toolName: 'Simulated MBE' });
    await until('points are acknowledged', () => (agent.snapshot.streams[0]?.pointsAcknowledged ?? 0) > 0);
    expect(readdirSync(data)).not.toContain('queue.db');
    expect(await agent.handlers.plot.listChannels(null)).not.toEqual([]);
  });

  test('connecting a tool while the trial runs ends the trial and records the tool', async () => {
    const { agent, form, settingsFile } = rig();
    await agent.start();
    await agent.handlers.trial.start(null);
    await agent.handlers.tool.connect(form);
    expect(agent.snapshot).toMatchObject({ phase: 'running', isTrial: false, toolName: 'MBE-1' });
    await until('the log is stored', () => agent.snapshot.streams[0]?.pointsStored === 2);
    expect(agent.snapshot.streams).toHaveLength(1);
    expect(readFileSync(settingsFile, 'utf8')).toContain('name: MBE-1');
  });

  test('neither a trial nor another tool takes the place of a tool that is recorded', async () => {
    const { agent, form } = rig();
    await agent.handlers.tool.connect(form);
    await expect(agent.handlers.trial.start(null)).rejects.toEqual(code('agent.running'));
    await expect(agent.handlers.tool.connect(form)).rejects.toEqual(code('agent.running'));
    expect(agent.snapshot).toMatchObject({ phase: 'running', toolName: 'MBE-1' });
  });

  test('settings that cannot be saved leave the trial running', async () => {
    const { agent, form } = rig();
    await agent.handlers.trial.start(null);
    const bad = { ...form, timeZone: 'Mars/Olympus' };
    await expect(agent.handlers.tool.connect(bad)).rejects.toEqual(
      expect.objectContaining({ code: expect.stringMatching(/^settings\./) }),
    );
    expect(agent.snapshot).toMatchObject({ phase: 'running', isTrial: true });
  });

  test('a connect that could not start can be repeated once the cause is gone', async () => {
    const { agent, data, form } = rig();
    mkdirSync(join(data, 'queue.db'));
    await expect(agent.handlers.tool.connect(form)).rejects.toEqual(
      expect.objectContaining({ code: expect.stringMatching(/^store\./) }),
    );
    expect(agent.snapshot.phase).toBe('failed');
    rmSync(join(data, 'queue.db'), { recursive: true });
    await agent.handlers.tool.connect(form);
    expect(agent.snapshot).toMatchObject({ phase: 'running', sources: [{ id: 'tool-log' }] });
  });

  test('a key that was pasted with blanks around it is kept without; one that can be none changes nothing', async () => {
    const { agent, form, settingsFile, keyNow } = rig();
    await agent.start();
    const wrong = { ...form, apiKey: 'two words', serviceUrl: 'https://127.0.0.1:9' };
    await expect(agent.handlers.tool.connect(wrong)).rejects.toEqual(code('key.malformed'));
    expect(existsSync(settingsFile)).toBe(false);
    expect(agent.snapshot.phase).toBe('first-run');
    await agent.handlers.tool.connect({ ...wrong, apiKey: ' a-key\n' });
    expect(keyNow()).toBe('a-key');

    const settings = readFileSync(settingsFile, 'utf8');
    const { service, tool, streamDefaults } = await agent.handlers.settings.read(null);
    const started = codes(agent).filter((one) => one === 'agent.started');
    const save = { service, tool: { ...tool, name: 'MBE-2' }, streamDefaults, apiKey: 'two words' };
    await expect(agent.handlers.settings.save(save)).rejects.toEqual(code('key.malformed'));
    expect(readFileSync(settingsFile, 'utf8')).toBe(settings);
    expect(codes(agent).filter((one) => one === 'agent.started')).toEqual(started);
    expect(keyNow()).toBe('a-key');
  });

  test('the key goes to the key store and into no file of the agent', async () => {
    const { agent, data, form, settingsFile, keyNow } = rig();
    const apiKey = 'canary-key-0123456789abcdef';
    await agent.handlers.tool.connect({ ...form, apiKey, serviceUrl: 'https://127.0.0.1:9' });
    expect(keyNow()).toBe(apiKey);
    await agent.stop();
    expect(JSON.stringify(agent.snapshot)).not.toContain(apiKey);
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(apiKey), name).toBe(false);
    }
    expect(readFileSync(settingsFile, 'utf8')).not.toContain(apiKey);
  });
});

describe('the kept key and the audit', () => {
  const service = { url: 'embedded', caFile: null };
  const rest = {
    tool: { name: 'T', timeZone: 'UTC', synthSourceId: null },
    streamDefaults: { pointsPerChunk: 'auto', rollover: 'daily', closeAfterQuiet: '15min' },
  } as const;

  test('the kept key stays with its address: a save with another one and no key changes nothing', async () => {
    const { agent, settingsFile, writeSettings } = rig();
    writeSettings();
    await agent.start();
    const save = (url: string, apiKey: string) =>
      agent.handlers.settings.save({ service: { ...service, url }, apiKey, ...rest }, 'the browser, session 7');
    await save('https://first.invalid/base', 'first-key');
    expect((await agent.handlers.settings.read(null)).keyFor).toBe('https://first.invalid');
    const before = readFileSync(settingsFile, 'utf8');
    for (const url of ['https://second.invalid', 'https://first.invalid:444', 'http://127.0.0.1:9']) {
      await expect(save(url, '')).rejects.toEqual(code('key.other-address'));
    }
    expect(readFileSync(settingsFile, 'utf8')).toBe(before);
    // Not by a detour either: the embedded service needs none, and the key is still that of the first address.
    await save('embedded', '');
    await expect(save('https://second.invalid', '')).rejects.toEqual(code('key.other-address'));
    await save('https://first.invalid/other-base', '');
    await save('https://second.invalid', 'second-key');
    expect((await agent.handlers.settings.read(null)).keyFor).toBe('https://second.invalid');
  });

  test('a key from before the first settings goes nowhere by itself', async () => {
    const { agent, form } = rig();
    await agent.handlers.service.keepKey({ apiKey: 'kept-before' });
    await agent.start();
    const connect = { ...form, serviceUrl: 'https://first.invalid' };
    await expect(agent.handlers.tool.connect(connect)).rejects.toEqual(code('key.other-address'));
    expect(agent.snapshot.phase).toBe('first-run');
    await agent.handlers.tool.connect({ ...connect, apiKey: 'typed' });
    expect(agent.snapshot.phase).toBe('running');
  });

  test('each change of the settings stands in the journal with who made it, and without any value', async () => {
    const { agent, logs, writeSettings } = rig();
    writeSettings();
    await agent.start();
    const lines = () =>
      agent.snapshot.journal.flatMap(({ code, message }) => (code === 'settings.changed' ? [message] : []));
    const save = (url: string, apiKey: string, caller?: string) =>
      agent.handlers.settings.save({ service: { ...service, url }, apiKey, ...rest }, caller);
    await save('https://first.invalid/secret-base', 'first-key', 'the browser, session 2');
    const entry = { id: 'second', kind: 'log', path: logs, match: '*.txt' } as const;
    await agent.handlers.source.save({ entry, isNew: true }, 'the browser, session 3');
    await agent.handlers.source.remove({ id: 'second' });
    await agent.handlers.service.keepKey({ apiKey: 'another-key' }, 'the browser, session 2');
    await save('https://first.invalid/secret-base', '', 'the browser, session 2');
    await until('all lines are shown', () => lines().length >= 4);
    expect(lines().toReversed()).toEqual([
      'Settings changed from the browser, session 2: service.url, the key.',
      'Settings changed from the browser, session 3: source second (new).',
      'Settings changed from the window: source second (removed).',
      'Settings changed from the browser, session 2: the key.',
    ]);
    const kept = await agent.pipeline?.store.listEvents(100);
    expect(JSON.stringify(kept)).toContain('session 3: source second (new)');
    expect(JSON.stringify(kept)).not.toMatch(/first-key|another-key|secret-base/);
  });
});
