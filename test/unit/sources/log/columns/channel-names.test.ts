import { describe, expect, test } from 'vitest';
import { ChannelNames, familyOf } from '../../../../../src-main/sources/log/columns/channel-names.ts';

describe('the family of a file', () => {
  test.each([
    ['2023_06_12/Ga.PID.MV.txt', '2023_06_13/Ga.PID.MV.txt'],
    ['RecordingSet 2025.07.07-15.31.01.CSV', 'RecordingSet 2026.01.02-00.00.09.CSV'],
    ['log.csv', 'log.csv.1'],
    ['LOGFILE20251128140851.txt', 'LOGFILE20251128140851 (1).txt'],
    ['run_0001.csv', 'run_0012.csv'],
    ['26-04-2023 growth.csv', '27-04-2023 growth.csv'],
  ])('%s and %s follow one another', (one, other) => {
    expect(familyOf(one)).toBe(familyOf(other));
  });

  test.each([
    ['Cell1.csv', 'Cell2.csv'],
    ['TT-4101.csv', 'TT-4102.csv'],
    ['Sub.PID.MV.txt', 'Pyro.PID.MV.txt'],
    ['a/T.csv', 'b/T.csv'],
  ])('%s and %s stand side by side', (one, other) => {
    expect(familyOf(one)).not.toBe(familyOf(other));
  });
});

describe('channel names', () => {
  const one = (path: string, ...columns: string[]) => ({ path, columns });

  test('go on from day to day', () => {
    const names = new ChannelNames(undefined);
    names.give([one('2023_06_12/Ga.txt', 'Ga')]);
    names.give([one('2023_06_13/Ga.txt', 'Ga')]);
    expect(names.channelOf('2023_06_13/Ga.txt', 'Ga')).toBe('Ga');
  });

  test('do not mix a file with a wrong header into the file it belongs to, in whatever order they come', () => {
    const files = [
      one('Pyro.PID.MV.txt', 'Sub.PID.MV'),
      one('Sub.PID.MV.txt', 'Sub.PID.MV'),
      one('Ga.PID.MV.txt', 'Ga.PID.MV'),
    ];
    for (const order of [files, files.toReversed()]) {
      const names = new ChannelNames(undefined);
      const { qualified } = names.give(order);
      expect(names.channelOf('Sub.PID.MV.txt', 'Sub.PID.MV')).toBe('Sub.PID.MV');
      expect(names.channelOf('Pyro.PID.MV.txt', 'Sub.PID.MV')).toBe('Sub.PID.MV (Pyro.PID.MV)');
      expect(qualified).toEqual(['Pyro.PID.MV.txt: Sub.PID.MV (Pyro.PID.MV)']);
    }
  });

  test('give equal headers of files side by side different names', () => {
    const names = new ChannelNames(undefined);
    names.give([one('pressure.csv', 'value'), one('flow.csv', 'value')]);
    expect(names.channelOf('pressure.csv', 'value')).toBe('value (pressure)');
    expect(names.channelOf('flow.csv', 'value')).toBe('value (flow)');
  });

  test.each([
    ['a counter', 'flow_0917.csv', 'value (flow)'],
    ['a date', 'flow 2026-09-17.csv', 'value (flow)'],
    ['a copy', 'log edited 150.csv', 'value (log edited)'],
    ['a folder of a day', '2026-09-17/pressure.csv', 'value (pressure)'],
    ['nothing but a date', '2026-09-17.csv', 'value (2026-09-17)'],
  ])('name a file as a person would, without %s', (_, path, channel) => {
    const names = new ChannelNames(undefined);
    names.give([one('pressure.csv', 'value')]);
    names.give([one(path, 'value')]);
    expect(names.channelOf(path, 'value')).toBe(channel);
  });

  test('stay the same after a restart, whichever file comes first then', () => {
    const before = new ChannelNames(undefined);
    before.give([one('pressure.csv', 'value')]);
    const after = new ChannelNames(before.stored);
    after.give([one('flow.csv', 'value'), one('pressure.csv', 'value')]);
    expect(after.channelOf('pressure.csv', 'value')).toBe('value');
    expect(after.channelOf('flow.csv', 'value')).toBe('value (flow)');
  });
});
