// Marks of an event log in the hour that the end of summer time repeats: the file waits from there on, and nothing of it is lost.
import { expect, test } from 'vitest';
import type { LogReader } from '../../support/logs/log-reader.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';

const event = (clock: string) => `2026-10-25 ${clock} Cell shutter was opened by the recipe\n`;
const times = (reader: LogReader) =>
  reader.sink.marks.map(({ timeMs }) => new Date(timeMs).toISOString().slice(11, 19));

test('an event log waits before the hour of which nothing tells which it is, and goes on with the answer', async () => {
  const { reader, writer } = openLogRig({ match: '*.log', timeZone: 'Europe/Berlin' });
  await writer.append('events.log', ['01:00:00', '01:10:00', '01:20:00', '01:30:00', '01:40:00'].map(event).join(''));
  await reader.look();
  await writer.append('events.log', ['02:50:00', '03:00:00'].map(event).join(''));
  await reader.look();
  const before = ['23:00:00', '23:10:00', '23:20:00', '23:30:00', '23:40:00'];
  expect(times(reader)).toEqual(before);
  expect(reader.sink.notes.get('log.hour-twice')?.message).toContain('at line 6');
  await reader.kill();
  reader.use({ dialect: { time: { repeated_hour: 'second' } } });
  await reader.look();
  expect(times(reader)).toEqual([...before, '01:50:00', '02:00:00']);
});
