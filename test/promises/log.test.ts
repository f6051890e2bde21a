// How the built agent reads a log: each line once, and a question where the log is ambiguous.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runHere } from '../support/command.ts';
import { LogAgent } from '../support/logs/log-agent.ts';
import { posixTest } from '../support/posix.ts';
import { whileHalted } from '../support/processes/agent-process.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';

const KEY = 'promise-test-key-0123456789abcdef';

posixTest(
  'a log that is rotated, and one that is copied and cut, while they are read gives each line once',
  async () => {
    const { service, client } = await openServiceRig({ key: KEY });
    const tool = new LogAgent({ url: service.url, service: 'resend: repeat', key: KEY });
    const agent = await tool.start();
    const stored = (points: number) =>
      tool.until(`${points} points are stored`, ({ streams }) => total(streams) === points);
    tool.write(100);
    await stored(100);
    // Rotated by name, with lines that came after the last look.
    await whileHalted(agent, () => {
      tool.write(20);
      renameSync(tool.log, `${tool.log}.1`);
      writeFileSync(tool.log, 'time,x\n');
      tool.write(30);
    });
    await stored(150);
    // Copied and cut.
    await whileHalted(agent, () => {
      writeFileSync(`${tool.log}.2`, readFileSync(tool.log));
      writeFileSync(tool.log, 'time,x\n');
      tool.write(10);
    });
    await stored(160);
    await tool.stop(agent);
    expect(await tool.drain()).toMatchObject({ code: 0, err: '' });
    await tool.expectDelivered(client);
  },
);

posixTest('half a line is read when it is whole, and the receipt agrees with the log', async () => {
  const { service, client } = await openServiceRig({ key: KEY });
  const tool = new LogAgent({ url: service.url, service: 'resend: repeat', key: KEY });
  const agent = await tool.start();
  tool.write(20);
  appendFileSync(tool.log, '1795154420,20.2');
  await tool.until('the whole lines are stored', ({ streams }) => total(streams) === 20);
  appendFileSync(tool.log, '5\n1795154421,21\n');
  await tool.until('the line is stored', ({ streams }) => total(streams) === 22);
  await tool.stop(agent);
  expect(await tool.drain()).toMatchObject({ code: 0, err: '' });
  const log = readFileSync(tool.log, 'utf8').trimEnd().split('\n').slice(1);
  const points = (await readDelivered(client)).get('x') ?? [];
  expect(points.map(({ timeMs, value }) => `${timeMs / 1000},${value}`)).toEqual(log);
  const { code, out } = await runHere(['receipt', '--data', tool.data, '--json'], { EPISTREAM_API_KEY: KEY });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { rowsRead: 22, pointsStored: 22, pointsAcknowledged: 22, isDelivered: true },
  ]);
});

posixTest('asks about a date that can be read in two ways, and reads it as the answer says', async () => {
  const { service, client } = await openServiceRig({ key: KEY });
  const tool = new LogAgent({ url: service.url, service: 'resend: repeat', key: KEY });
  writeFileSync(join(tool.logs, 'b.csv'), 'time,b\n03/04/2026 10:15:00,1\n03/04/2026 10:15:01,2\n');
  const agent = await tool.start();
  const asked = await tool.until('it asks', ({ troubles }) => troubles.length > 0);
  expect(asked.sentence.tone).toBe('attention');
  const answer = (...words: string[]) => runHere(['answer', ...words, '--data', tool.data]);
  expect((await answer('list')).out).toContain('b.csv');
  await tool.stop(agent);
  expect((await readDelivered(client)).has('b')).toBe(false);
  writeFileSync(
    tool.config,
    readFileSync(tool.config, 'utf8').replace(
      "match: '*.csv'",
      "match: 'b.csv', dialect: { time: { format: 'dd/MM/yyyy HH:mm:ss' } }",
    ),
  );
  expect(await tool.drain()).toMatchObject({ code: 0, err: '' });
  expect((await readDelivered(client)).get('b')).toEqual([
    { timeMs: Date.UTC(2026, 3, 3, 10, 15), value: 1 },
    { timeMs: Date.UTC(2026, 3, 3, 10, 15, 1), value: 2 },
  ]);
});

posixTest('names a mistake in the settings with its file, its line and the key that was meant', async () => {
  const tool = new LogAgent({ url: 'embedded', key: KEY });
  writeFileSync(tool.config, readFileSync(tool.config, 'utf8').replace('backfill: all', 'backfil: all'));
  const { code, err } = await runHere(['run', '--config', tool.config, '--data', tool.data]);
  expect(code).toBe(1);
  expect(err).toMatch(/epistream\.yaml:6:\d+ .*"backfil" is not known here\. Did you mean backfill\?/);
  expect(err).toContain(`Correct this line in ${tool.config}`);
});

const total = (streams: readonly { readonly pointsStored: number }[]) =>
  streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);
