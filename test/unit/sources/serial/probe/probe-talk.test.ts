// A board that nobody ships: the probe hears what it says, asks it nothing, and writes the profile that reads it.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeResult } from '../../../../../src-main/commands/probe.ts';
import { parseSettings } from '../../../../../src-main/settings/parse-settings.ts';
import { probePort } from '../../../../../src-main/sources/serial/probe/probe.ts';
import { writeTalkProfile } from '../../../../../src-main/sources/serial/probe/talk-profile.ts';
import { tryLine } from '../../../../../src-main/sources/serial/probe/try-line.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { PLAYED_PORT, PlayedPort } from '../../../../support/serial/played-port.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';

const NOISE = Uint8Array.of(0xf8, 0x80, 0x78, 0x9c, 0x0a, 0xfe, 0x0a);

/** A board that says a line twice a second, at one rate; at others it is noise. */
function plug(say: (count: number) => string | null, baud = 9600) {
  const clock = new VirtualClock();
  const unit = new PlayedPort([], clock);
  let isOver = false;
  let openBaud = 0;
  void (async () => {
    for (let count = 0; !isOver; count++) {
      await clock.sleep(500);
      const line = say(count);
      if (line !== null) unit.send(openBaud === baud ? bytes(`${line}\r\n`) : NOISE);
    }
  })();
  const transportOf = (_: unknown, line: { baud: number }) => {
    openBaud = line.baud;
    return unit.transport;
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    const done = await clock.passWhile(work, 3_600_000);
    isOver = true;
    return done;
  };
  const given = { address: null, bauds: [], clock, signal: new AbortController().signal, transportOf };
  const probe = (instruments: readonly string[] = [], port = PLAYED_PORT) =>
    finish(probePort({ ...given, port, instruments, onTry: () => undefined }));
  return { clock, unit, probe, finish, transportOf };
}

const T_AND_P = (count: number) => `T=${23 + (count % 7)},4C P=1.${count % 9}e-5`;

test.each([9600, 115_200])(
  'its lines at %i baud are shown with what they give, and it is asked nothing',
  async (baud) => {
    const { unit, probe } = plug(T_AND_P, baud);
    const result = await probe();
    expect(unit.unexpected).toEqual([]);
    expect(result.talk).toMatchObject({ line: { baud }, readings: [{ channel: 'T', unit: '°C' }, { channel: 'P' }] });
    expect(result.talk?.lines.at(-1)).toMatch(/^T=\d\d,4C P=1\.\de-5$/);
    const text = describeResult(result, PLAYED_PORT);
    const [, entry = ''] = text.split('correct them:\n');
    const settings = `version: 1\ntool: { name: T }\nsources:\n${entry}\n`;
    expect(parseSettings(settings, '/lab/epistream.yaml')).toMatchObject({ isValid: true });
    expect(parse(settings).sources[0].instrument.unsolicited[0].expected_ms).toBe(500);
  },
);

test('one that says nothing is asked as before, and one that ships is named without listening', async () => {
  const { unit, probe } = plug(() => null);
  expect(await probe()).toMatchObject({ talk: null, matches: [] });
  const sent = Buffer.from(unit.unexpected).toString('latin1').replaceAll('\x06', '\r');
  expect(sent).toContain('*IDN?');
  // Bare letters and words are sent only to who is named.
  expect(sent).not.toMatch(/(?:^|[\r\n])(?:[A-Za-z?]{1,2}|ADR \d+)(?:[\r\n]|$)/);
  const named = plug(T_AND_P);
  expect((await named.probe(['lakeshore-336'])).talk).toBeNull();
});

test('noise that is no line at any rate is no board that talks', async () => {
  const { probe } = plug(() => 'x', 1200);
  expect((await probe()).talk).toBeNull();
});

test.each([
  ['P1: 3.2e-3 mbar, T1: 23.5 C', { P1: [3.2e-3, 'mbar', 'pressure'], T1: [23.5, '°C', 'temperature'] }],
  ['23.5;1.2e-5', { 'value 1': [23.5, '', ''], 'value 2': [1.2e-5, '', ''] }],
  ['23,5;-4,25', { 'value 1': [23.5, '', ''], 'value 2': [-4.25, '', ''] }],
  ['1,2,3', { 'value 1': [1, '', ''], 'value 2': [2, '', ''], 'value 3': [3, '', ''] }],
  ['{"temp": 23.5, "i": 0.1}', { 'value 1': [23.5, '', ''], 'value 2': [0.1, '', ''] }],
  ['U= 12.1 V I=0.35 A', { U: [12.1, 'V', 'voltage'], I: [0.35, 'A', 'current'] }],
  ['T=nanC P=1.2e-5', { T: [null, '°C', 'temperature'], P: [1.2e-5, '', ''] }],
])('%s', async (line, expected) => {
  const { probe } = plug(() => line);
  const { talk } = await probe();
  const channels = talk?.profile?.unsolicited?.flatMap((rule) => rule.channels ?? []) ?? [];
  const read = talk?.readings.map(({ channel, value, unit }) => {
    const quantity = channels.find(({ name }) => name === channel)?.quantity;
    return [channel, [value, unit, quantity]];
  });
  expect(Object.fromEntries(read ?? [])).toEqual(expected);
});

test('a date in the lines goes on', () => {
  const said = (text: string, at: number) => ({ text, atMs: 500 * at });
  const written = writeTalkProfile(['2026-11-29 T=23.5', '2026-11-29 T=23.6'].map(said), 9600);
  expect(written?.driver.heard[0]?.cutter.fits('2027-01-01 T=-3.5')).toBe(true);
});

test('lines without a number, or that came once, make no profile', () => {
  const said = (...texts: string[]) => texts.map((text, at) => ({ text, atMs: 500 * at }));
  expect(writeTalkProfile(said('ready', 'ready', 'boot 1'), 9600)).toBeNull();
});

/** What `check` looks at. */
async function look(instrument: string | object, say: Parameters<typeof plug>[0], mayRestart = false) {
  const { clock, unit, finish } = plug(say);
  const source = { port: PLAYED_PORT, instrument: instrument as string, options: {}, line: {}, address: null };
  // The rate is that of the profile.
  const transportOf = () => unit.transport;
  unit.send = (sent) => PlayedPort.prototype.send.call(unit, sent === NOISE ? bytes(`${say(0)}\r\n`) : sent);
  return { unit, found: await finish(tryLine(source, { clock, transportOf, mayRestart })) };
}

test('a look tells the first values of a board that talks, and opens one that restarts only if it may', async () => {
  const written = writeTalkProfile(
    [0, 1, 2].map((at) => ({ text: T_AND_P(at), atMs: 500 * at })),
    9600,
  );
  const board = written?.profile ?? {};
  expect((await look(board, T_AND_P)).found).toMatchObject({
    level: 'ok',
    hint: expect.stringContaining('--open-boards'),
  });
  const { found } = await look(board, T_AND_P, true);
  expect(found.readings).toMatchObject([
    { channel: 'T', value: 23.4, unit: '°C' },
    { channel: 'P', value: 1e-5 },
  ]);
  const other = await look(board, () => 'Temp 23.4 Press 1.2e-5', true);
  expect(other.found).toMatchObject({ level: 'warning' });
  expect(other.found.message).toContain('the pattern does not match: `Temp 23.4 Press 1.2e-5');
});

test('a look tells the first values of an instrument that is asked, each question once', async () => {
  const clock = new VirtualClock();
  const answers = { '*IDN?': 'LSCI,MODEL336,LSA12AB,2.9', 'KRDG? A': '+077.350', 'RDGST? A': '000' };
  const unit = new PlayedPort(
    Object.entries(answers).map(([question, answer]) => dialog(`${question}\r\n`, `${answer}\r\n`)),
    clock,
  );
  const options = { inputs: ['A'] };
  const source = { port: PLAYED_PORT, instrument: 'lakeshore-336', options, line: {}, address: null };
  const found = await clock.passWhile(tryLine(source, { clock, transportOf: () => unit.transport }), 60_000);
  expect(found.readings).toEqual([{ channel: 'temperature A', unit: 'K', value: 77.35, text: '' }]);
});
