// Fault matrix, rows 32, 34, 38, 39 and 42: what must never become a value, or the value of another thing.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSettings } from '../../../src-main/settings/parse-settings.ts';
import { LineHub } from '../../../src-main/sources/serial/line/line-hub.ts';
import type { PortInfo } from '../../../src-main/sources/serial/line/serial-port.ts';
import { InstrumentEmulator } from '../../support/serial/instrument-emulator.ts';
import { hasPty, Pty } from '../../support/serial/pty.ts';
import { type PlayedRig, type Rig, startPlayedRig, startRig } from '../../support/serial/serial-rig.ts';
import { bytes, dialog, talker, twoValues } from '../../support/serial/serial-samples.ts';

const talk = [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')];

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(10);
}

describe.skipIf(!hasPty)('row 32', () => {
  test('an adapter that comes back under another name is found by its number; while two fit, a person is asked', async () => {
    let ports: PortInfo[] = [];
    const usb = { usbSerial: 'A50285BI', vid: null, pid: null };
    const other = await InstrumentEmulator.start([dialog('A?\r\n', '77\r\n'), dialog('B?\r\n', '88\r\n')]);
    const first = { path: '', serialNumber: 'A50285BI' };
    const rig = await startRig(
      onTestFinished,
      {
        instrument: twoValues,
        talk,
        before: (_, pty) => {
          first.path = pty?.path ?? '';
          ports = [{ path: '/dev/ttyS0' }, first];
        },
      },
      { port: usb, hub: new LineHub(async () => ports) },
    );
    await rig.sink.until(() => rig.sink.values('b').length > 0);
    // Another instrument takes the name, and an adapter with the same number is there twice.
    const wrong = await Pty.plug(other.tcpPort, 'ttyWRONG');
    const moved = await Pty.plug(rig.emulator.tcpPort, 'ttyMOVED');
    onTestFinished(async () => {
      await wrong.remove();
      await moved.remove();
      await other.stop();
    });
    ports = [
      { path: wrong.path, serialNumber: 'A50285BI' },
      { path: moved.path, serialNumber: 'A50285BI' },
    ];
    await rig.pty?.unplug();
    await until(() => rig.reports.some(({ error }) => error?.code === 'serial.port-ambiguous'));
    const asked = rig.reports.find(({ error }) => error?.code === 'serial.port-ambiguous')?.error;
    expect(asked?.message).toContain('Two ports fit');
    expect(asked?.hint).toContain('Say which');
    ports = [
      { path: wrong.path, serialNumber: 'OTHER' },
      { path: moved.path, serialNumber: 'A50285BI' },
    ];
    await rig.sink.until(() => rig.sink.notes.has('serial.moved'));
    const before = rig.sink.values('b').length;
    await rig.sink.until(() => rig.sink.values('b').length > before);
    expect(rig.sink.notes.get('serial.moved')?.message).toContain(`now on ${moved.path}`);
    expect(new Set([...rig.sink.values('a'), ...rig.sink.values('b')])).toEqual(new Set([1, 2]));
    expect(other.asked).toEqual([]);
  });

  test('a path that another adapter has taken is not read', async () => {
    let ports: PortInfo[] = [];
    const rig = await startRig(
      onTestFinished,
      {
        instrument: twoValues,
        talk,
        before: (_, pty) => {
          ports = [{ path: pty?.path ?? '', serialNumber: 'MINE' }];
        },
      },
      { hub: new LineHub(async () => ports) },
    );
    await rig.sink.until(() => rig.sink.values('b').length > 0);
    ports = [{ path: rig.pty?.path ?? '', serialNumber: 'YOURS' }];
    await rig.pty?.unplug();
    await rig.pty?.plugIn();
    const refusals = () => rig.reports.filter(({ error }) => error?.code === 'serial.other-adapter').length;
    await until(() => refusals() > 0);
    const read = rig.sink.values('b').length;
    await until(() => refusals() > 2);
    expect(rig.sink.values('b')).toHaveLength(read);
  });
});

describe('row 34', () => {
  test('noise is told as a share with what to look at, and none of it is a value', async () => {
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 10, timeoutMs: 100 });
    let replies = 0;
    rig.emulator.interfere = (answer) => {
      replies += 1;
      const noise = Uint8Array.of(0x9c, 0xff, 0x0d, 0x0a);
      return { bytes: replies % 8 === 0 ? noise : answer, delayMs: 0 };
    };
    await rig.until(() => rig.sink.notes.get('serial.unreadable')?.level === 'warning');
    expect(rig.sink.notes.get('serial.unreadable')?.message).toMatch(
      /^Unreadable \d+ %: 2 bytes came that are no text: `.+`\.$/,
    );
    expect(new Set(rig.sink.values('a'))).toEqual(new Set([1]));
    expect(new Set(rig.sink.values('b'))).toEqual(new Set([2]));
  });

  test('a wrong baud rate gives refused lines with their bytes, and no value', async () => {
    const rig = await startPlayedRig(onTestFinished, { instrument: talker, talk: [] });
    await rig.until(() => rig.emulator.isConnected);
    for (; !rig.sink.notes.has('serial.unreadable'); await rig.pass(20)) {
      rig.emulator.send(Uint8Array.of(0xf8, 0x80, 0x78, 0x0d, 0x0a));
    }
    expect(rig.sink.pointCount).toBe(0);
    expect(rig.sink.refusals[0]).toMatchObject({ reason: 'not understood', text: '<f8><80>x<CR><LF>' });
  });
});

describe('row 38', () => {
  test('a reply that lost its sign or a digit is asked again and is no value', async () => {
    const numbers = [dialog('A?\r\n', '-12.5\r\n'), dialog('B?\r\n', '2\r\n')];
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk: numbers });
    const lost = ['12.5\r\n', '-2.5\r\n', '-1.5\r\n', '-125\r\n', '-512.5\r\n'];
    let replies = 0;
    rig.emulator.interfere = (answer, question) => {
      if (question[0] !== 0x41) return { bytes: answer, delayMs: 0 };
      replies += 1;
      const slip = replies % 4 === 0 ? lost[(replies / 4) % lost.length] : undefined;
      return { bytes: slip === undefined ? answer : bytes(slip), delayMs: 0 };
    };
    await rig.until(() => rig.sink.refusals.filter(({ channel }) => channel === 'a').length >= 8);
    expect(new Set(rig.sink.values('a'))).toEqual(new Set([-12.5]));
    expect(rig.sink.notes.get('serial.doubtful')?.message).toContain('was not believed');
  });

  test('a value that really changed its shape counts, whichever way it goes', async () => {
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk });
    const answers = ['9.8', '9.9', '10.0', '10.1', '9.9', '-9.9', '-9.8', '9.8', '100.2', '1.2', '-1.2'];
    let at = -1;
    let isPair = false;
    rig.emulator.interfere = (answer, question) => {
      if (question[0] !== 0x41) return { bytes: answer, delayMs: 0 };
      // Each stands for two readings: a change that lasts.
      if (!isPair) at = Math.min(at + 1, answers.length - 1);
      isPair = !isPair;
      return { bytes: bytes(`${answers[at]}\r\n`), delayMs: 0 };
    };
    await rig.until(() => rig.sink.values('a').filter((value) => value === -1.2).length > 2);
    expect([...new Set(rig.sink.values('a'))].sort()).toEqual([...new Set(answers.map(Number))].sort());
    expect(rig.sink.refusedCount).toBe(0);
  });
});

/** Replies come so much later, in turns. */
function late(rig: Pick<Rig | PlayedRig, 'emulator'>, delaysMs: readonly number[]) {
  const replies = { all: 0, late: 0 };
  rig.emulator.interfere = (answer) => {
    const delayMs = delaysMs[replies.all % delaysMs.length] as number;
    replies.all += 1;
    // Beyond the time-out of 200 ms.
    if (delayMs > 200) replies.late += 1;
    return { bytes: answer, delayMs };
  };
  return replies;
}

/** Each channel has its own values alone, and what was not answered in time is a gap. */
function expectOwn(sink: Rig['sink']) {
  expect(new Set(sink.values('a'))).toEqual(new Set([1]));
  expect(new Set(sink.values('b'))).toEqual(new Set([2]));
  expect(sink.gaps.map(({ cause }) => cause)).toContainEqual(expect.stringContaining('no answer'));
}

describe('row 39', () => {
  test('a late reply is never taken for the next question', async () => {
    const rig = await startRig(onTestFinished, { instrument: twoValues, talk, everyMs: 50, timeoutMs: 200 });
    const replies = late(rig, [0, 260, 0, 0, 390, 0, 0, 0]);
    await rig.sink.until(() => replies.late >= 2 && rig.sink.values('b').length >= 2);
    expectOwn(rig.sink);
  });

  test('nor is any that comes up to 600 ms late, on a played line', async () => {
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 50, timeoutMs: 200 });
    // An answer in time takes a while, too: so a late one falls into the time of the next question.
    const delays = Array.from({ length: 60 }, (_, n) => 10 * n + 1);
    const replies = late(rig, [...delays, ...delays.flatMap((ms) => [150, ms, 150]), 150]);
    await rig.until(() => replies.late >= 40 && rig.sink.values('b').length >= 40);
    expectOwn(rig.sink);
  });

  test('one that comes even after the line was drained is told as out of step, and neither of the two is taken', async () => {
    const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 50, timeoutMs: 200 });
    await rig.until(() => rig.sink.values('b').length > 1);
    let asked = 0;
    rig.emulator.interfere = (answer, question) => {
      // Again and again until it hits.
      if (question[0] === 0x41) asked += 1;
      const isLate = question[0] === 0x41 && asked % 4 === 1 && !rig.sink.notes.has('serial.out-of-step');
      // Past the time-out and the drain: into the answering time of the next question, which takes a while, too.
      return { bytes: answer, delayMs: isLate ? 690 : 150 };
    };
    await rig.until(() => rig.sink.notes.has('serial.out-of-step'));
    const before = rig.sink.values('b').length;
    await rig.until(() => rig.sink.values('b').length > before + 2);
    expect(rig.sink.notes.get('serial.out-of-step')?.message).toContain('out of step, resynchronized');
    expect(new Set(rig.sink.values('a'))).toEqual(new Set([1]));
    expect(new Set(rig.sink.values('b'))).toEqual(new Set([2]));
  });
});

test('row 42: a second source on the same port is refused while editing, and so is a channel name that comes twice', async () => {
  const source = (id: string) => `{ id: ${id}, kind: serial, port: COM3, instrument: lakeshore-336 }`;
  const text = `version: 1\ntool: { name: x }\nsources: [${source('a')}, ${source('b')}]\n`;
  const read = parseSettings(text, '/lab/e.yaml');
  expect(read.isValid ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'sources[1].port: sources[0] reads the same port',
  ]);
  const [question] = twoValues.questions ?? [];
  const twice = { ...twoValues, questions: [question, { ...question, id: 'c' }] } as typeof twoValues;
  const rig = await startPlayedRig(onTestFinished, { instrument: twice, talk });
  await expect(rig.until(() => false)).rejects.toThrow();
  expect(rig.reports.at(-1)?.state).toBe('failed');
  expect(rig.reports.at(-1)?.error?.message).toContain('two channels are called "a"');
});
