// Lines of an event log are kept as marks. They come with the commit that moves the position of their file, so kills can
// neither lose nor double one.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MarkPlace } from '../../../src-main/model/marks.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { runAgent, startAgent } from '../processes/agent-process.ts';
import { tempFolder } from '../temp-folder.ts';

const EVENTS_A_ROUND = 4000;
const START_MS = Date.UTC(2026, 10, 20, 6);

const timeOf = (n: number) => START_MS + n * 250;
const stampOf = (n: number) => new Date(timeOf(n)).toISOString().replace('T', ' ').slice(0, 23);
const textOf = (n: number) => `Recipe step ${n}, shutter Ga ${n % 2 === 0 ? 'opened' : 'closed'}`;

function allMarks(queue: Queue) {
  const marks: { timeMs: number; text: string; place: string; line: number | null; sourceId: string }[] = [];
  let after: MarkPlace | null = null;
  do {
    const page = queue.listMarks({ sourceId: 'log', fromMs: -Infinity, toMs: Infinity, after, limit: 700 });
    marks.push(...page.marks);
    after = page.next;
  } while (after !== null);
  return marks;
}

/**
 * Kill the agent again and again while it reads an event log; in the end each line is one mark.
 *
 * @param wanted - how often.
 */
export async function killAtMarks(wanted: number): Promise<void> {
  const folder = tempFolder();
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  writeFileSync(join(logs, 'values.csv'), 'time,a\n');
  const config = join(folder, 'epistream.yaml');
  writeFileSync(
    config,
    `version: 1
service: { url: embedded }
tool: { name: T, time_zone: UTC }
sources: [{ id: log, kind: log, path: '${logs}', match: '*', backfill: all }]
`,
  );
  const args = ['run', '--config', config, '--data', join(folder, 'data'), '--drain-and-exit'];
  let events = 0;
  let kills = 0;
  while (kills < wanted) {
    // Values before and after the events of each round: whatever streams the rounds make, they span these.
    appendFileSync(join(logs, 'values.csv'), `${timeOf(events) / 1000},${events}\n`);
    const lines = Array.from({ length: EVENTS_A_ROUND }, () => `${stampOf(events)},${textOf(events++)}\n`);
    appendFileSync(join(logs, 'events.log'), lines.join(''));
    appendFileSync(join(logs, 'values.csv'), `${timeOf(events - 1) / 1000},${events}\n`);
    const agent = startAgent(args);
    const timer = setTimeout(() => agent.child.kill('SIGKILL'), 400 + Math.random() * 900);
    const { signal, err } = await agent.ended;
    clearTimeout(timer);
    if (signal === 'SIGKILL') kills += 1;
    expect(err).toBe('');
  }
  expect(await runAgent(args)).toMatchObject({ code: 0, err: '' });

  const queue = openQueue(join(folder, 'data', 'queue.db'), { reserveBytes: 0 });
  const marks = allMarks(queue);
  const positions = [...queue.positions('log').keys()];
  const told = queue.listStreams(1_000_000, 1000).map(({ id }) => queue.streamFacts(id)?.marks.count ?? 0);
  queue.close();
  expect(marks.length).toBe(events);
  marks.forEach(({ timeMs, text, place, line, sourceId }, n) => {
    expect({ timeMs, text, place, line, sourceId }).toEqual({
      timeMs: timeOf(n),
      text: textOf(n),
      place: 'events.log',
      line: n + 1,
      sourceId: 'log',
    });
  });
  expect(positions).toContain('events.log@1');
  // Each event lies within one stream of the values, whose receipt tells of it.
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(events);
}
