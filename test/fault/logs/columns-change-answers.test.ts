// Row 54, the answers: a file whose columns change waits at its byte until a person has said how to read on; whatever they
// say, and however often the agent is killed around it, each line arrives once.
import { describe, expect, test } from 'vitest';
import { HeldDesk } from '../../../src-main/sources/log/follow/held-desk.ts';
import type { LogReader } from '../../support/logs/log-reader.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';

function begin(options: Parameters<typeof openLogRig>[0] = {}) {
  const held = new HeldDesk();
  return { ...openLogRig({ held, ...options }), held };
}

/** Wait for a promise of the desk while the reader looks. */
async function during<T>(reader: LogReader, asked: Promise<T>): Promise<T> {
  // A refusal is met below, not before.
  asked.catch(() => undefined);
  await reader.look();
  return asked;
}

const nothing = async () => undefined;
const BEFORE = 'time,a [mbar],b [K]\n1790000001,1,2\n1790000002,3,4\n';
const AFTER = 'time,b [K],c [mbar]\n1790000003,6,5\n';

describe('row 54', () => {
  test('both sides of the change are shown, with the place and the next lines', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    expect(held.list()).toMatchObject([
      { file: 'log.csv', code: 'log.columns-changed', line: 4, byte: BEFORE.length, isLeftOut: false },
    ]);
    const view = await during(reader, held.look('log.csv'));
    expect(view.formerColumns.map(({ header, unit, channel }) => [header, unit, channel])).toEqual([
      ['time', '', null],
      ['a [mbar]', 'mbar', 'a'],
      ['b [K]', 'K', 'b'],
    ]);
    expect(view.newColumns.map(({ name, unit, channel }) => [name, unit, channel])).toEqual([
      ['time', '', null],
      ['b', 'K', 'b'],
      ['c', 'mbar', 'c'],
    ]);
    expect(view.nextLines).toEqual(['time,b [K],c [mbar]', '1790000003,6,5']);
    expect(view.problem).toBe('');
  });

  test('the new columns as they are: what went before is on disk first, then every line comes once, over kills', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    const order: string[] = [];
    reader.sink.beforeCapture = ({ blocks }) => void (blocks.length > 0 && order.push('read'));
    await during(
      reader,
      held.answer('log.csv', { answer: 'accept' }, async () => void order.push('streams closed')),
    );
    expect(order).toEqual(['streams closed', 'read']);
    expect(held.list()).toEqual([]);
    await reader.kill();
    await writer.append('log.csv', '1790000004,8,7\n');
    await reader.look();
    await writer.append('log.csv', '1790000005,10,9\n');
    await reader.lookAndDie('before');
    await reader.look();
    await writer.append('log.csv', '1790000006,12,11\n');
    await reader.lookAndDie('after');
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 3]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6, 8, 10, 12]);
    expect(reader.sink.values('c')).toEqual([5, 7, 9, 11]);
    expect(reader.sink.refusedCount).toBe(0);
  });

  test('an answer that a kill kept from the disk was not given: the file waits on, and no line is lost', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    const given = held.answer('log.csv', { answer: 'accept' }, nothing);
    given.catch(() => undefined);
    await reader.lookAndDie('before');
    await expect(given).rejects.toThrow('killed');
    await reader.look();
    expect(held.list()).toHaveLength(1);
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    expect(reader.sink.values('c')).toEqual([5]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6]);
  });

  test('a renamed column carries on its channel; another unit or an unknown name is refused and nothing changes', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    const asked = (names: Record<string, string>) => held.answer('log.csv', { answer: 'rename', names }, nothing);
    await expect(during(reader, asked({ c: 'b' }))).rejects.toMatchObject({ code: 'log.rename-refused' });
    await expect(during(reader, asked({ c: 'x' }))).rejects.toMatchObject({ code: 'log.rename-refused' });
    await expect(during(reader, asked({ x: 'a' }))).rejects.toMatchObject({ code: 'log.rename-refused' });
    expect(held.list()).toHaveLength(1);
    await during(reader, asked({ c: 'a' }));
    await reader.kill();
    await writer.append('log.csv', '1790000004,8,7\n');
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 3, 5, 7]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6, 8]);
    expect(reader.sink.channels).toEqual(['a', 'b']);
  });

  test('a file left out stays so over a restart, and goes on from its byte when it is taken in again', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    await during(reader, held.answer('log.csv', { answer: 'leave-out' }, nothing));
    await reader.kill();
    await writer.append('log.csv', '1790000004,8,7\n');
    await reader.look();
    expect(held.list()).toMatchObject([{ file: 'log.csv', isLeftOut: true }]);
    expect(reader.sink.values('c')).toEqual([]);
    await during(reader, held.answer('log.csv', { answer: 'take-in' }, nothing));
    await reader.look();
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    expect(reader.sink.values('c')).toEqual([5, 7]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6, 8]);
  });

  test('a second change waits again; what was settled holds under other settings', async () => {
    const { writer, reader, held } = begin();
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    await reader.kill();
    reader.use({ timeZone: 'Europe/Berlin' });
    await writer.append('log.csv', '1790000004,8,7\ntime,a [mbar],b [K]\n1790000005,9,10\n');
    await reader.look();
    expect(reader.sink.values('b')).toEqual([2, 4, 6, 8]);
    expect(held.list()).toMatchObject([{ line: 7 }]);
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    expect(reader.sink.values('a')).toEqual([1, 3, 9]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6, 8, 10]);
  });

  test('a change in what was skipped waits, too; once answered, old lines are read by the columns of their time', async () => {
    const { writer, reader, held } = begin({ backfill: 'from-now' });
    await writer.append('log.csv', BEFORE + AFTER);
    await reader.look();
    await writer.append('log.csv', '1790000004,8,7\n');
    await reader.look();
    expect(held.list()).toMatchObject([{ line: 4, byte: BEFORE.length }]);
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    expect(reader.sink.values('c')).toEqual([7]);
    await reader.kill();
    reader.use({ backfill: 'all' });
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 3]);
    expect(reader.sink.values('c').sort()).toEqual([5, 7]);
    expect(reader.sink.values('b').sort()).toEqual([2, 4, 6, 8]);
    expect(reader.sink.refusedCount).toBe(0);
  });

  test('in UTF-16 the place is as exact', async () => {
    const { writer, reader, held } = begin();
    const text = `\uFEFF${BEFORE}${AFTER}`;
    await writer.does({ do: 'append', file: 'log.csv', text, encoding: 'utf16le' });
    await reader.look();
    expect(held.list()).toMatchObject([{ byte: 2 * (BEFORE.length + 1) }]);
    await during(reader, held.answer('log.csv', { answer: 'accept' }, nothing));
    expect(reader.sink.values('b')).toEqual([2, 4, 6]);
    expect(reader.sink.values('c')).toEqual([5]);
  });

  test('runs in one file that tell their own start are read on without a question; one that does not waits', async () => {
    const { writer, reader, held, folder } = begin();
    const run = (start: string, value: number) => `${start}\nTime [s],p [mbar]\n0,${value}\n1,${value + 1}\n`;
    await writer.append('log.csv', run('Run started 2026-11-20 10:15:00', 1));
    await writer.append('log.csv', run('Run started 2026-11-20 11:15:00', 5));
    await reader.look();
    await reader.look();
    const starts = [Date.UTC(2026, 10, 20, 10, 15), Date.UTC(2026, 10, 20, 11, 15)];
    const wanted = starts.flatMap((startMs, index) => [
      { timeMs: startMs, value: 1 + 4 * index },
      { timeMs: startMs + 1000, value: 2 + 4 * index },
    ]);
    expect(reader.sink.points('p')).toMatchObject(wanted);
    expect(held.list()).toEqual([]);
    // A drain that begins at the start reads all of it in one go.
    const drained = openLogRig({ path: folder, isDrain: true }).reader;
    await drained.look();
    expect(drained.sink.points('p')).toMatchObject(wanted);
    await writer.append('log.csv', run('Run goes on', 9));
    await reader.look();
    await reader.look();
    expect(held.list()).toMatchObject([{ code: 'log.time-again' }]);
    await expect(during(reader, held.answer('log.csv', { answer: 'accept' }, nothing))).rejects.toMatchObject({
      code: 'log.no-start',
    });
    expect(reader.sink.values('p')).toEqual([1, 2, 5, 6]);
  });
});
