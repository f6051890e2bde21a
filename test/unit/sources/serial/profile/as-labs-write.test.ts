// Text as people write it who programmed a board of their own. The numbers must be theirs, or none.
import { expect, test } from 'vitest';
import { Instrument, type InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import { readCell } from '../../../../../src-main/sources/serial/profile/read-cell.ts';
import { makeCutter } from '../../../../../src-main/sources/serial/profile/reply-fields.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes } from '../../../../support/serial/serial-samples.ts';

type Reply = NonNullable<NonNullable<InstrumentInput['unsolicited']>[number]['reply']>;

const CHANNELS = [
  { name: 'temperature', field: 't', quantity: 'temperature', unit: '°C', sensor: 'ds18b20' as const },
  { name: 'pressure', field: 'p', quantity: 'pressure', unit: 'mbar', sensor: 'ion-gauge' as const },
];

function board(reply: Reply, channels = CHANNELS): InstrumentInput {
  return {
    ...{ name: 'board', title: 'My board', family: 'line-ascii', resets_on_open: true },
    protocol: { commands: 'getters', send_end: 'lf', reply_end: 'any', talks: true, neutral: 'none' },
    timing: { settle_ms: 0 },
    unsolicited: [{ id: 'line', expected_ms: 500, reply, channels }],
  };
}

const PATTERN = { pattern: 'T=(?P<t>[-+0-9.]+)C P=(?P<p>[-+0-9.eE]+)' };

/** What the channels of a board give for a line: values, or why there is none; null: the line does not fit. */
function read(line: string, reply: Reply = PATTERN, channels = CHANNELS) {
  const [rule] = Instrument.parse(board(reply, channels)).unsolicited;
  if (rule === undefined) throw new Error('no rule');
  const fields = makeCutter('board', rule.reply).cut(line);
  if (fields === null) return null;
  return rule.channels.map((channel) => {
    const cell = readCell(channel, fields, null, channel.unit as string);
    return cell.kind === 'value' ? cell.value : cell.reason;
  });
}

test.each([
  ['T=23.4C P=1.2e-5', [23.4, 1.2e-5]],
  ['T=23,4C P=1,2e-5', [23.4, 1.2e-5]],
  ['T=23,4C P=1.2e-5', [23.4, 1.2e-5]],
  ['T=-0,5C P=1,2E-05', [-0.5, 1.2e-5]],
  ['T=23.4°C P=1.2e-5', [23.4, 1.2e-5]],
  ['T=23,4°C P=1,2e-5', [23.4, 1.2e-5]],
  ['T=nanC P=1.2e-5', ['not a number', 1.2e-5]],
  ['T=23,4C P=-nan', [23.4, 'not a number']],
  ['T=-127.00C P=1.2e-5', ['not connected', 1.2e-5]],
  ['T=85.00C P=1.2e-5', ['no reading yet: its value after power-on', 1.2e-5]],
  ['T=23.4C P=0', [23.4, 'no reading: an ion gauge does not read 0']],
  ['T=23.4C P=0.00E+00', [23.4, 'no reading: an ion gauge does not read 0']],
])('%s', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each(['T=1,234.5C P=1.2e-5', 'T=1,2,3C P=1.2e-5', 'T=23;4C P=1.2e-5', 'T=,5C P=1', 'T=manC P=1'])(
  '%s is no line of this board',
  (line) => {
    expect(read(line)).toBeNull();
  },
);

test('a unit may stand behind the number; another unit than that of the channel is no reading', () => {
  const channels = CHANNELS.map((channel, at) => ({ ...channel, field: at + 1 })) as unknown as typeof CHANNELS;
  const split = { split: ';' };
  expect(read('23,4 °C; 1.2e-5 mbar', split, channels)).toEqual([23.4, 1.2e-5]);
  expect(read('23.4C;1.2e-5mbar', split, channels)).toEqual([23.4, 1.2e-5]);
  expect(read('74.1 F; 9e-6 Torr', split, channels)).toEqual(['not a number', 'not a number']);
});

test.each([
  ['UTF-8', (text: string) => new TextEncoder().encode(text)],
  ['Latin-1', bytes],
])('a degree sign in %s is one, also where the pattern holds it', async (_, encode) => {
  const reply = { pattern: 'T=(?P<t>[-+0-9.]+) ?°C P=(?P<p>[-+0-9.eE]+)' };
  const rig = await startPlayedRig(() => {}, { instrument: board(reply), talk: [] });
  await rig.until(() => rig.emulator.isConnected);
  for (let lines = 0; lines < 6; lines++) {
    rig.emulator.send(encode('T=23.4 °C P=1.2e-5\r\n'));
    await rig.pass(500);
  }
  await rig.stop();
  expect(new Set(rig.sink.values('temperature'))).toEqual(new Set([23.4]));
});

/** What a source tells once it hears nothing but this line. */
async function tellOf(line: Uint8Array) {
  const rig = await startPlayedRig(() => {}, { instrument: board(PATTERN), talk: [] });
  await rig.until(() => rig.emulator.isConnected);
  for (let lines = 0; lines < 8; lines++) {
    rig.emulator.send(line);
    await rig.pass(500);
  }
  await rig.stop();
  return rig.sink.notes;
}

test('a line that no pattern fits is named as it came, and the baud rate only where it is no text', async () => {
  const text = await tellOf(bytes('Temp 23.4 Press 1.2e-5\n'));
  const shown = '23 bytes came, the pattern does not match: `Temp 23.4 Press 1.2e-5<LF>`';
  expect(text.get('serial.unreadable')?.message).toBe(`Unreadable 100 %: ${shown}.`);
  expect(text.get('serial.unreadable')?.hint).not.toContain('Baud');
  const noise = (await tellOf(Uint8Array.of(0xf8, 0x80, 0x78, 0x9c, 0x0a))).get('serial.unreadable');
  expect(noise?.message).toContain('5 bytes came that are no text: `<f8><80>x<9c><LF>`');
  expect(noise?.hint).toContain('Baud rate');
});
