// Fault matrix, rows 31, 33, 35, 36, 37, 40 and 41: the line itself, over pseudo-terminals.
import { setTimeout as sleep } from 'node:timers/promises';
import { SerialPort } from 'serialport';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LineSettings } from '../../../src-main/model/instrument.ts';
import { serialTransport } from '../../../src-main/sources/serial/line/serial-port.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { hasPty } from '../../support/serial/pty.ts';
import { type Rig, startPlayedRig, startRig } from '../../support/serial/serial-rig.ts';
import { bytes, dialog, talker, twoValues } from '../../support/serial/serial-samples.ts';

const say = (rig: Rig, text: string) => rig.emulator.send(bytes(text));

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(10);
}

/** Say it again and again: what is said before the port is read is nobody's. */
async function sayUntil(rig: Rig, text: string, isHeard: () => boolean): Promise<void> {
  for (; !isHeard(); await sleep(100)) say(rig, text);
}

const states = (rig: Rig) => rig.reports.map(({ state }) => state);

describe.skipIf(!hasPty)('row 31', () => {
  test('a line cut by unplugging is no reading, nor is the tail that comes after plugging in; the time between is a gap', async () => {
    const rig = await startRig(onTestFinished, { instrument: talker, talk: [] });
    await until(() => states(rig).includes('running') && rig.emulator.isConnected);
    await sayUntil(rig, 'v=1\r\nv=2\r\n', () => rig.sink.values('v').length > 0);
    say(rig, 'v=12');
    await sleep(50);
    await rig.pty?.unplug();
    await until(() => states(rig).includes('waiting'));
    expect(rig.reports.find(({ state }) => state === 'waiting')?.error?.code).toBe('serial.port-gone');
    const opened = states(rig).length;
    await rig.pty?.plugIn();
    await until(() => states(rig).slice(opened).includes('running'));
    await sayUntil(rig, '3.7\r\nv=20\r\nv=21\r\n', () => rig.sink.values('v').includes(21));
    expect(rig.sink.values('v').filter((value) => ![1, 2, 20, 21].includes(value))).toEqual([]);
    // On a busy machine two lines may be heard late, one after the other: that is a gap of its own.
    const causes = rig.sink.gaps.map(({ cause }) => cause).filter((cause) => cause !== 'no data');
    expect(causes).toEqual([expect.stringMatching(/disconnected|There is no port/)]);
    expect(rig.sink.notes.get('serial.skipped')?.message).toMatch(/^\d+ bytes/);
  });
});

describe.skipIf(!hasPty)('row 33', () => {
  test('the rest of a line that was under way when the port was opened is counted and is no reading', async () => {
    const rig = await startRig(onTestFinished, {
      instrument: { ...talker, unsolicited: [{ id: 'v', reply: { pattern: '[0-9.]+' }, channels: [{ name: 'v' }] }] },
      talk: [],
    });
    await until(() => rig.sink.notes.has('serial.connection') && rig.emulator.isConnected);
    say(rig, '23.4\r\n');
    await sleep(50);
    say(rig, '123.5\r\n');
    await rig.sink.until(() => rig.sink.values('v').length > 0);
    expect(rig.sink.values('v')).toEqual([123.5]);
    await until(() => rig.sink.notes.has('serial.skipped'));
    expect(rig.sink.notes.get('serial.skipped')?.message).toContain('6 bytes');
  });
});

describe('row 35', () => {
  test('six megabytes without a line end are told, dropped and forgotten', async () => {
    const rig = await startRig(onTestFinished, { instrument: talker, talk: [] });
    await until(() => rig.emulator.isConnected);
    say(rig, '\r\n');
    rig.emulator.send(new Uint8Array(6_000_000).fill(0x37));
    await until(() => rig.sink.notes.has('serial.flood'));
    expect(rig.sink.notes.get('serial.flood')?.message).toContain('No line end in');
    // What ends the flood is the end of a line whose beginning nobody saw.
    say(rig, '\r\nv=5\r\n');
    await rig.sink.until(() => rig.sink.values('v').length > 0);
    expect(rig.sink.values('v')).toEqual([5]);
  });
});

describe.skipIf(!hasPty)('row 36', () => {
  test('a port that another program holds is named, and taken as soon as it is free', async () => {
    let other: SerialPort | null = null;
    const rig = await startRig(onTestFinished, {
      instrument: twoValues,
      talk: [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')],
      before: async (_, pty) => {
        const path = pty?.path ?? '';
        other = await new Promise<SerialPort>((resolve, reject) => {
          const port = new SerialPort({ path, baudRate: 9600 }, (error) => (error ? reject(error) : resolve(port)));
        });
      },
    });
    await until(() => states(rig).includes('waiting'));
    const fault = rig.reports.find(({ state }) => state === 'waiting')?.error;
    expect(fault?.code).toBe('serial.in-use');
    expect(fault?.message).toContain(`${rig.pty?.path} is in use by another program`);
    await new Promise((resolve) => (other as SerialPort | null)?.close(resolve));
    await rig.sink.until(() => rig.sink.values('b').length > 0);
    expect(rig.sink.values('a')[0]).toBe(1);
  });

  test('a port that a test of this program holds is not blamed on another program', async () => {
    let own: { close(): Promise<void> } | null = null;
    const rig = await startRig(onTestFinished, {
      instrument: twoValues,
      talk: [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')],
      before: async (_, pty) => {
        const transport = serialTransport('test', async () => pty?.path ?? '', LineSettings.parse({}));
        own = await transport.open(() => undefined);
      },
    });
    await until(() => states(rig).includes('waiting'));
    const fault = rig.reports.find(({ state }) => state === 'waiting')?.error;
    expect(fault?.message).toContain('is in use by Epistream itself');
    await (own as { close(): Promise<void> } | null)?.close();
    await rig.sink.until(() => rig.sink.values('b').length > 0);
  });
});

describe('row 37', () => {
  test('an instrument that falls silent is told with how long, and is a gap when it answers again', async () => {
    const talk = [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')];
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 100, timeoutMs: 100 });
    await rig.until(() => rig.sink.values('b').length > 1);
    expect(rig.sink.gaps).toEqual([]);
    rig.emulator.interfere = () => null;
    await rig.until(() => rig.sink.notes.get('serial.silent')?.level === 'warning');
    expect(rig.sink.notes.get('serial.silent')?.message).toMatch(/^No data for [\d.]+ s \(expected every 100 ms\)\.$/);
    const read = rig.sink.values('b').length;
    rig.emulator.interfere = (answer) => ({ bytes: answer, delayMs: 0 });
    await rig.until(() => rig.sink.gaps.length > 0 && rig.sink.values('b').length > read);
    expect(rig.sink.gaps[0]?.cause).toContain('no answer');
    expect(rig.sink.gaps.every(({ fromMs, toMs }) => toMs - fromMs > 2900)).toBe(true);
    expect(rig.sink.notes.get('serial.silent')?.level).toBe('info');
  });
});

describe.skipIf(!hasPty)('row 40', () => {
  test('what overruns while this PC is busy leaves no merged line: each value was sent, in order, none twice', async () => {
    const rig = await startRig(onTestFinished, { instrument: talker, talk: [] });
    await until(() => rig.emulator.isConnected && states(rig).includes('running'));
    await sayUntil(rig, 'v=-1\r\n', () => rig.sink.values('v').length > 0);
    const count = 100_000;
    say(rig, `v=0\r\n${Array.from({ length: count }, (_, at) => `v=${at + 1}\r\n`).join('')}`);
    await rig.sink.until(() => (rig.sink.values('v').at(-1) ?? 0) > 10);
    const busyUntilMs = performance.now() + 1500;
    while (performance.now() < busyUntilMs);
    // The last of them may be among what was lost: what is said behind them ends the wait.
    await sayUntil(
      rig,
      `v=${count + 1}\r\n`,
      () => rig.sink.values('v').at(-1) === count + 1 || rig.sink.refusedCount > 0,
    );
    const values = rig.sink.values('v').filter((value) => value >= 0 && value <= count);
    expect(values.every((value, at) => at === 0 || value > (values[at - 1] as number))).toBe(true);
    expect(rig.sink.refusedCount).toBe(0);
    const isWhole = values.length >= count;
    // What is missing was told, as bytes that were lost and as bytes that were skipped.
    if (!isWhole)
      expect([...rig.sink.notes.keys()]).toEqual(expect.arrayContaining(['serial.overrun', 'serial.skipped']));
    expect(values.length).toBeGreaterThan(count - 2000);
  });
});

describe.skipIf(!hasPty)('row 41', () => {
  test('a port that is dead without an event is opened again and again until it lives', async () => {
    const talk = [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')];
    // Ten times as fast: a port that gives nothing is reopened after half a minute.
    const rig = await startRig(
      onTestFinished,
      { instrument: twoValues, talk, everyMs: 1000, timeoutMs: 2000 },
      { clock: fastClock(10) },
    );
    await rig.sink.until(() => rig.sink.values('b').length > 0);
    rig.pty?.hang();
    await until(() => rig.reports.some(({ error }) => error?.code === 'serial.silent'));
    const before = rig.sink.values('b').length;
    rig.pty?.goOn();
    // At this speed a machine that is busy for a tenth of a second reads late: that may be a gap before it.
    const isTold = () => rig.sink.gaps.some(({ cause }) => /no answer|No data/.test(cause));
    await rig.sink.until(() => rig.sink.values('b').length > before && isTold());
  });
});
