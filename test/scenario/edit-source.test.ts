// Editing a source while its tool writes: what was captured goes on, once and in order, and nobody else notices.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../src-main/agent/agent.ts';
import { makeAgent } from '../support/rigs/agent-here.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FOREVER = 8.64e15;
const SETTINGS = `# The chamber of the third floor.
version: 1
service: { url: embedded }
tool: { name: MBE-1, time_zone: UTC } # as its clock
stream_defaults: { points_per_chunk: 10, close_after_quiet: 2s }
sources:
  - id: tool-log # the fast one
    kind: log
    path: LOGS
    match: '**/*.csv'
    backfill: all
  - { id: growth, kind: simulator, interval: 20ms }
`;

/** A tool that writes a line every 10 ms; the value counts the lines. */
function startWriter(folder: string) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'run.csv');
  writeFileSync(file, 'time,counter\n');
  const beganMs = Date.now();
  let lines = 0;
  const timer = setInterval(() => {
    lines += 1;
    appendFileSync(file, `${new Date(beganMs + lines).toISOString()},${lines}\n`);
  }, 10);
  onTestFinished(() => clearInterval(timer));
  return { lines: () => lines, end: () => clearInterval(timer) };
}

async function startAgent(logs: string): Promise<Agent> {
  const data = tempFolder('edit');
  writeFileSync(join(data, 'epistream.yaml'), SETTINGS.replace('LOGS', JSON.stringify(logs)));
  const agent = makeAgent(data);
  await agent.start();
  return agent;
}

/** The values of a channel as they stand in the queue, in the order of their stamps. */
async function storedValues(agent: Agent, source: string, channel: string): Promise<number[]> {
  const points = await agent.pipeline?.store.readPoints(source, channel, 0, FOREVER);
  const times = points?.timesMs ?? [];
  return Array.from(points?.values ?? [], (value, at) => ({ value, timeMs: times[at] as number }))
    .toSorted((a, b) => a.timeMs - b.timeMs)
    .map(({ value }) => value);
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test('loses and doubles no row while its source is edited again and again under a writing tool, and leaves the other sources alone', async () => {
  const logs = join(tempFolder('edit-logs'), 'logs');
  const writer = startWriter(logs);
  const agent = await startAgent(logs);
  const { source } = agent.handlers;
  const rows = () => storedValues(agent, 'tool-log', 'counter').then(({ length }) => length);
  await expect.poll(rows).toBeGreaterThan(20);
  const pipeline = agent.pipeline;
  const other = pipeline?.panels.find(({ view }) => view.id === 'growth');

  for (const points of [20, 30, 40, 50, 60, 70]) {
    const before = await rows();
    const entry = (await source.list(null)).find(({ id }) => id === 'tool-log');
    await source.save({ entry: { ...entry, points_per_chunk: points } as never, isNew: false });
    await expect.poll(rows).toBeGreaterThan(before);
  }
  writer.end();
  await expect.poll(rows).toBeGreaterThanOrEqual(writer.lines());
  expect(await storedValues(agent, 'tool-log', 'counter')).toEqual(upTo(writer.lines()));

  // The run is the same one, and the other source was never restarted.
  expect(agent.pipeline).toBe(pipeline);
  expect(agent.pipeline?.panels.find(({ view }) => view.id === 'growth')).toBe(other);
  expect(agent.snapshot.gaps.filter(({ sourceId }) => sourceId === 'growth')).toEqual([]);
  const text = readFileSync((await agent.handlers.settings.read(null)).file, 'utf8');
  expect(text).toContain('points_per_chunk: 70');
  for (const comment of ['# The chamber of the third floor.', '# as its clock', '# the fast one']) {
    expect(text).toContain(comment);
  }
});

test('goes on without loss when the whole run restarts for other settings, and takes sources in and out', async () => {
  const logs = join(tempFolder('edit-logs'), 'logs');
  const writer = startWriter(logs);
  const agent = await startAgent(logs);
  const { settings, source } = agent.handlers;
  const rows = () => storedValues(agent, 'tool-log', 'counter').then(({ length }) => length);
  await expect.poll(rows).toBeGreaterThan(20);
  const pipeline = agent.pipeline;

  const { service, tool, streamDefaults } = await settings.read(null);
  const form = { service, apiKey: '', tool: { ...tool, name: 'MBE-2' }, streamDefaults };
  await settings.save(form);
  expect(agent.pipeline).not.toBe(pipeline);
  const gap = () => agent.snapshot.gaps.find(({ sourceId }) => sourceId === 'growth')?.cause;
  await expect.poll(gap).toBe('the settings were changed');
  expect(agent.snapshot.toolName).toBe('MBE-2');

  await source.save({ entry: { id: 'second', kind: 'simulator', seed: 2, interval: '50ms' } as never, isNew: true });
  await expect(source.save({ entry: { id: 'second', kind: 'simulator' }, isNew: true })).rejects.toMatchObject({
    code: 'source.name-taken',
  });
  await expect(
    source.save({ entry: { id: 'third', kind: 'log', path: '' } as never, isNew: true }),
  ).rejects.toMatchObject({ code: 'settings.invalid' });
  await source.remove({ id: 'growth' });
  expect(agent.pipeline?.panels.map(({ view }) => view.id)).toEqual(['tool-log', 'second']);
  const events = await agent.pipeline?.store.listMarks({
    ...{ sourceId: 'growth', fromMs: 0, toMs: Date.now() },
    after: null,
    limit: 10,
  });
  expect(events?.marks.map(({ text }) => text)).toEqual(['Source growth was removed.']);

  // A way that cannot be begun with: the former settings stand and run again.
  const broken = { ...form, service: { url: 'https://data.example.org', caFile: join(logs, 'none.pem') } };
  await expect(settings.save(broken)).rejects.toMatchObject({ code: 'service.ca-file' });
  expect((await settings.read(null)).service.url).toBe('embedded');
  expect(agent.snapshot.phase).toBe('running');

  const before = await rows();
  await expect.poll(rows).toBeGreaterThan(before);
  writer.end();
  await expect.poll(rows).toBeGreaterThanOrEqual(writer.lines());
  expect(await storedValues(agent, 'tool-log', 'counter')).toEqual(upTo(writer.lines()));
});

test('a repaired time zone begins new streams: never two times in one', async () => {
  const logs = join(tempFolder('edit-logs'), 'logs');
  const writer = startWriter(logs);
  const agent = await startAgent(logs);
  const { source, settings } = agent.handlers;
  const streams = () =>
    agent.snapshot.streams
      .filter(({ sourceId }) => sourceId === 'tool-log')
      .map(({ id, state }) => ({ id, isOpen: state === 'open' }));
  await expect.poll(streams).toContainEqual(expect.objectContaining({ isOpen: true }));
  const wrong = Math.max(...streams().map(({ id }) => id));

  const entry = (await source.list(null)).find(({ id }) => id === 'tool-log');
  await source.save({ entry: { ...entry, time_zone: 'Asia/Tokyo' } as never, isNew: false });
  await expect.poll(() => streams().find(({ id }) => id === wrong)?.isOpen).not.toBe(true);
  await expect.poll(() => streams().some(({ id, isOpen }) => id > wrong && isOpen)).toBe(true);

  // The same by the zone of the tool, for a source that names none.
  await source.save({ entry: entry as never, isNew: false });
  await expect.poll(() => streams().filter(({ isOpen }) => isOpen).length).toBe(1);
  const before = Math.max(...streams().map(({ id }) => id));
  const { service, tool, streamDefaults } = await settings.read(null);
  await settings.save({ service, apiKey: '', tool: { ...tool, timeZone: 'Asia/Tokyo' }, streamDefaults });
  await expect.poll(() => streams().find(({ id }) => id === before)?.isOpen).not.toBe(true);
  await expect.poll(() => streams().some(({ id, isOpen }) => id > before && isOpen)).toBe(true);
  writer.end();
});
