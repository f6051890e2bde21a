// Fault matrix, row 68: the tool's clock and this PC's differ. It is said, and no stamp is changed for it.
import { describe, expect, test } from 'vitest';
import { openLogRig } from '../../support/logs/log-rig.ts';

/** A tool whose clock is `lagMs` behind, which writes a line and is looked at, several times. */
class ShiftedTool {
  readonly #log = openLogRig({ match: '*.csv' });
  readonly reader = this.#log.reader;
  readonly writer = this.#log.writer;
  readonly stamps: number[] = [];

  constructor() {
    // However long the machine takes from a stamp to its look, it is no part of the difference.
    this.reader.clock.standingMs = Date.now();
  }

  async run(lines: number, lagMs: number, file = 'log.csv'): Promise<void> {
    for (let i = 0; i < lines; i++) {
      // The look comes 500 ms later by its clock.
      const stampMs = Math.round(this.reader.clock.nowMs() + 500 - lagMs);
      const head = this.stamps.length === 0 ? 'time,v\n' : '';
      this.stamps.push(stampMs);
      const stamp = new Date(stampMs).toISOString().replace('T', ' ').replace('Z', '');
      await this.writer.append(file, `${head}${stamp},${this.stamps.length}\n`);
      await this.reader.look();
    }
  }

  get note() {
    return this.reader.sink.notes.get('log.tool-clock');
  }
}

const MINUTE_MS = 60_000;

describe('row 68', () => {
  test('a tool that is minutes behind is said, both times are told, and every stamp stays as written', async () => {
    const tool = new ShiftedTool();
    await tool.run(8, 4 * MINUTE_MS + 12_000);
    expect(tool.note?.level).toBe('warning');
    expect(tool.note?.message).toMatch(
      /^Tool clock is 4 min 12 s behind: at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC of this PC its newest line said .* UTC\./,
    );
    expect(tool.reader.sink.points('v').map(({ timeMs }) => timeMs)).toEqual(tool.stamps);
    const [, here = '', there = ''] = /at (.*) UTC of this PC its newest line said (.*) UTC/.exec(
      tool.note?.message ?? '',
    ) as RegExpExecArray;
    expect((Date.parse(`${here}Z`) - Date.parse(`${there}Z`)) / 1000).toBeGreaterThan(250);
    // The tool is set right: that is said, too.
    await tool.run(12, 0);
    expect(tool.note?.message).toBe('Settled.');
    expect(tool.reader.sink.points('v').map(({ timeMs }) => timeMs)).toEqual(tool.stamps);
  });

  test('a tool that is ahead is said, and one that is off by hours is asked for its zone', async () => {
    const ahead = new ShiftedTool();
    await ahead.run(6, -3 * MINUTE_MS);
    expect(ahead.note?.message).toMatch(/^Tool clock is 3 min ahead/);
    const zone = new ShiftedTool();
    await zone.run(6, 2 * 60 * MINUTE_MS);
    expect(zone.note?.message).toMatch(/^Tool clock is 2 h behind/);
    expect(zone.note?.hint).toContain('time_zone');
  });

  test('neither a difference of seconds, nor old lines, nor old files copied in, nor single late lines are one', async () => {
    const tool = new ShiftedTool();
    await tool.writer.append('old.csv', 'time,w\n2020-01-01 00:00:00,1\n');
    await tool.run(6, 20_000);
    for (let i = 0; i < 6; i++) {
      await tool.writer.append(`copied-${i}.csv`, `time,x\n2020-01-01 00:00:0${i},1\n2020-01-01 00:00:1${i},2\n`);
      await tool.reader.look();
    }
    await tool.run(2, 10 * MINUTE_MS);
    await tool.run(2, 0);
    await tool.reader.kill();
    await tool.run(1, 60 * MINUTE_MS);
    await tool.run(4, 0);
    expect(tool.note).toBe(undefined);
  });
});
