// The instruments of the soak: what they are asked, and how the n-th reading is said. Families with a checksum, with ACK and
// ENQ, plain ASCII with a status of its own, two units on one RS-485 line, and a gauge that talks unasked. At two of them
// somebody changes the unit at the front.
import type { InstrumentInput } from '../../src-main/model/instrument.ts';
import { checkByte } from '../../src-main/sources/serial/families/text/ei-bisynch.ts';
import { bytesOf } from '../../src-main/sources/serial/protocol/bytes.ts';
import { type Front, pressureFront, temperatureFront } from './front.ts';

/** One source of the agent. */
export interface SoakSource {
  readonly id: string;
  readonly instrument: string | InstrumentInput;
  readonly address: string | number | null;
  readonly options: Readonly<Record<string, string | number | boolean | (string | number)[]>>;
}

/** A channel: the value of the n-th reading, and the bytes that say it. */
export interface SoakReading {
  readonly sourceId: string;
  readonly channel: string;
  /** The unit of all of its readings, or where it is set. */
  readonly unit: string | Front;
  readonly value: (n: number) => number;
  readonly write: (n: number) => Uint8Array;
}

export interface SoakQuestion {
  readonly in: Uint8Array;
  /** A reading, the unit of a front, bytes that never change, or what comes before the next question. */
  readonly out: SoakReading | Front | Uint8Array;
  readonly next?: readonly SoakQuestion[];
}

export interface SoakLine {
  readonly name: string;
  readonly sources: readonly SoakSource[];
  readonly questions: readonly SoakQuestion[];
  /** Said again and again, unasked; null: only answers. */
  readonly frame: SoakReading | null;
  /** Replies carry a check: any noise must be noticed. Without one, a digit for a digit cannot be, and is not made. */
  readonly hasCheck: boolean;
}

type Place = Pick<SoakReading, 'sourceId' | 'channel' | 'unit'>;

/** What is said is what is meant. */
const saying = (place: Place, text: (n: number) => string, say: (text: string) => string): SoakReading => ({
  ...place,
  value: (n) => Number(text(n)),
  write: (n) => bytesOf(say(text(n))),
});

/** Decimals: `first` plus n thousandths. */
const decimals = (place: Place, first: number, say: (text: string) => string) =>
  saying(place, (n) => (first + n / 1000).toFixed(3), say);

/**
 * Mantissa and exponent, `digits` after the point; goes on with the next exponent when the mantissas are used up, and from the
 * first again after `decades` of them: what no gauge reads would be refused.
 */
function scientific(
  place: Place,
  form: { readonly digits: number; readonly exponent: number; readonly decades: number },
  say: (text: string) => string,
): SoakReading {
  const scale = 10 ** form.digits;
  const text = (n: number) => {
    const mantissa = ((scale + (n % (9 * scale))) / scale).toFixed(form.digits);
    const exponent = form.exponent + (Math.floor(n / (9 * scale)) % form.decades);
    return `${mantissa}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  };
  return saying(place, text, say);
}

function eurotherm(): SoakLine {
  const id = 'controller';
  const ask = (parameter: string, channel: string, first: number): SoakQuestion => ({
    in: bytesOf(`\x040011${parameter}\x05`),
    out: decimals({ sourceId: id, channel, unit: '°C' }, first, (text) => {
      const body = `${parameter}${text}\x03`;
      return `\x02${body}${String.fromCharCode(checkByte(bytesOf(body)))}`;
    }),
  });
  return {
    name: 'eurotherm-bisynch',
    sources: [{ id, instrument: 'eurotherm-bisynch', address: 1, options: { setpoints: ['SP'], percents: [] } }],
    questions: [ask('PV', 'PV', 100), ask('SP', 'SP', 300)],
    frame: null,
    hasCheck: true,
  };
}

function pfeiffer(): SoakLine {
  const ask = (mnemonic: string, out: SoakQuestion['out']): SoakQuestion => ({
    in: bytesOf(`${mnemonic}\r\n`),
    out: bytesOf('\x06\r\n'),
    next: [{ in: bytesOf('\x05'), out }],
  });
  const unit = pressureFront('gauge');
  // Far enough apart that two of them stay two in another unit.
  const digits = (value: number) => {
    const [number = '', exponent = ''] = value.toExponential(4).split('e');
    return { number, behind: `E${exponent.replace(/(?<=^.)(?=.$)/, '0')}` };
  };
  const pressure = saying(
    { sourceId: 'gauge', channel: 'pressure', unit },
    (n) => unit.write(1e-5 * (1 + n / 5000), digits),
    (text) => `0,${text}\r\n`,
  );
  return {
    name: 'pfeiffer-tpg-261',
    sources: [{ id: 'gauge', instrument: 'pfeiffer-tpg-261', address: null, options: {} }],
    questions: [ask('UNI', unit), ask('PR1', pressure)],
    frame: null,
    hasCheck: false,
  };
}

function lakeShore(): SoakLine {
  const id = 'cryostat';
  const ofInput = (input: string, first: number): SoakQuestion[] => [
    {
      in: bytesOf(`KRDG? ${input}\r\n`),
      out: decimals({ sourceId: id, channel: `temperature ${input}`, unit: 'K' }, first, (text) => `+${text}\r\n`),
    },
    { in: bytesOf(`RDGST? ${input}\r\n`), out: bytesOf('0\r\n') },
  ];
  return {
    name: 'lakeshore-336',
    sources: [{ id, instrument: 'lakeshore-336', address: null, options: { inputs: ['A', 'B'] } }],
    questions: [
      { in: bytesOf('*IDN?\r\n'), out: bytesOf('LSCI,MODEL336,1234567/1234567,1.0\r\n') },
      ...ofInput('A', 100),
      ...ofInput('B', 300),
    ],
    frame: null,
    hasCheck: false,
  };
}

/** A lab's own thermometer: two sensors in one unit, which is set at its front. */
function thermometer(): SoakLine {
  const id = 'thermometer';
  const unit = temperatureFront(id);
  const digits = (value: number) => ({ number: value.toFixed(3), behind: '' });
  const ask = (sensor: number, firstK: number): SoakQuestion => ({
    in: bytesOf(`TEMP${sensor}?\r\n`),
    out: saying(
      { sourceId: id, channel: `sensor ${sensor}`, unit },
      (n) => unit.write(firstK + n / 500, digits),
      (text) => `${text}\r\n`,
    ),
  });
  const instrument: InstrumentInput = {
    ...{ name: 'own-thermometer', title: 'Thermometer that tells its unit', family: 'line-ascii' },
    protocol: { commands: 'getters', reply_end: 'any' },
    lookups: { unit: { ask: 'UNIT?', reply: { pattern: '[KCF]' }, words: { C: '°C', F: '°F' } } },
    questions: [1, 2].map((sensor) => ({
      ...{ id: `sensor-${sensor}`, ask: `TEMP${sensor}?`, reply: { pattern: '-?\\d{1,3}\\.\\d{4}' } },
      channels: [{ name: `sensor ${sensor}`, quantity: 'temperature', unit: { lookup: 'unit' } }],
    })),
  };
  return {
    name: 'own thermometer',
    sources: [{ id, instrument, address: null, options: {} }],
    questions: [{ in: bytesOf('UNIT?\r\n'), out: unit }, ask(1, 300), ask(2, 500)],
    frame: null,
    hasCheck: false,
  };
}

function sharedLine(): SoakLine {
  const unit = (address: string, exponent: number): SoakQuestion[] => [
    { in: bytesOf(`#${address}IGS\r`), out: bytesOf(`*${address} 1 IG ON \r`) },
    {
      in: bytesOf(`#${address}RD\r`),
      out: scientific(
        { sourceId: `unit-${address}`, channel: 'ion gauge', unit: 'Torr' },
        { digits: 2, exponent, decades: 8 },
        (text) => `*${address} ${text}\r`,
      ),
    },
  ];
  const source = (address: string): SoakSource => ({
    id: `unit-${address}`,
    instrument: 'kjlc-392',
    address,
    options: { convection: [] },
  });
  return {
    name: 'kjlc-392, two units',
    sources: [source('01'), source('02')],
    // Exponents that never meet: a reading of the other unit would be found.
    questions: [...unit('01', -12), ...unit('02', -4)],
    frame: null,
    hasCheck: false,
  };
}

function freeRunning(): SoakLine {
  const id = 'ionization';
  const code = (n: number) => 6100 + (n % 57_000);
  return {
    name: 'inficon-bpg400',
    sources: [{ id, instrument: 'inficon-bpg400', address: null, options: {} }],
    questions: [],
    frame: {
      sourceId: id,
      channel: 'pressure',
      unit: 'mbar',
      value: (n) => 10 ** (code(n) / 4000 - 12.5),
      write: (n) => {
        const body = [5, 1, 0, code(n) >> 8, code(n) & 0xff, 20, 10];
        return Uint8Array.of(7, ...body, body.reduce((sum, byte) => sum + byte, 0) % 256);
      },
    },
    hasCheck: true,
  };
}

/** All lines, with counters that begin at nought. */
export const soakLines = (): SoakLine[] => [
  eurotherm(),
  pfeiffer(),
  lakeShore(),
  thermometer(),
  sharedLine(),
  freeRunning(),
];
