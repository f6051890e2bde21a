// The instruments of the soak: what they are asked, and how the n-th reading is said. Families with a checksum, with ACK and
// ENQ, plain ASCII with a status of its own, two units on one RS-485 line, and a gauge that talks unasked.
import { bytesOf } from '../../src-main/sources/serial/bytes.ts';
import { checkByte } from '../../src-main/sources/serial/families/ei-bisynch.ts';

/** One source of the agent. */
export interface SoakSource {
  readonly id: string;
  readonly instrument: string;
  readonly address: string | number | null;
  readonly options: Readonly<Record<string, string | number | boolean | (string | number)[]>>;
}

/** A channel: the value of the n-th reading, and the bytes that say it. */
export interface SoakReading {
  readonly sourceId: string;
  readonly channel: string;
  readonly value: (n: number) => number;
  readonly write: (n: number) => Uint8Array;
}

export interface SoakQuestion {
  readonly in: Uint8Array;
  /** A reading, bytes that never change, or what comes before the next question. */
  readonly out: SoakReading | Uint8Array;
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

/** Decimals: `first` plus n thousandths. */
function decimals(sourceId: string, channel: string, first: number, say: (text: string) => string): SoakReading {
  const text = (n: number) => (first + n / 1000).toFixed(3);
  return { sourceId, channel, value: (n) => Number(text(n)), write: (n) => bytesOf(say(text(n))) };
}

/**
 * Mantissa and exponent, `digits` after the point; goes on with the next exponent when the mantissas are used up, and from the
 * first again after `decades` of them: what no gauge reads would be refused.
 */
function scientific(
  place: Pick<SoakReading, 'sourceId' | 'channel'>,
  form: { readonly digits: number; readonly exponent: number; readonly decades: number },
  say: (text: string) => string,
): SoakReading {
  const scale = 10 ** form.digits;
  const text = (n: number) => {
    const mantissa = ((scale + (n % (9 * scale))) / scale).toFixed(form.digits);
    const exponent = form.exponent + (Math.floor(n / (9 * scale)) % form.decades);
    return `${mantissa}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  };
  return { ...place, value: (n) => Number(text(n)), write: (n) => bytesOf(say(text(n))) };
}

function eurotherm(): SoakLine {
  const id = 'controller';
  const ask = (parameter: string, channel: string, first: number): SoakQuestion => ({
    in: bytesOf(`\x040011${parameter}\x05`),
    out: decimals(id, channel, first, (text) => {
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
  const place = { sourceId: 'gauge', channel: 'pressure' };
  const pressure = scientific(place, { digits: 4, exponent: -5, decades: 8 }, (text) => `0,${text}\r\n`);
  return {
    name: 'pfeiffer-tpg-261',
    sources: [{ id: 'gauge', instrument: 'pfeiffer-tpg-261', address: null, options: {} }],
    questions: [ask('UNI', bytesOf('0\r\n')), ask('PR1', pressure)],
    frame: null,
    hasCheck: false,
  };
}

function lakeShore(): SoakLine {
  const id = 'cryostat';
  const ofInput = (input: string, first: number): SoakQuestion[] => [
    {
      in: bytesOf(`KRDG? ${input}\r\n`),
      out: decimals(id, `temperature ${input}`, first, (text) => `+${text}\r\n`),
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

function sharedLine(): SoakLine {
  const unit = (address: string, exponent: number): SoakQuestion[] => [
    { in: bytesOf(`#${address}IGS\r`), out: bytesOf(`*${address} 1 IG ON \r`) },
    {
      in: bytesOf(`#${address}RD\r`),
      out: scientific(
        { sourceId: `unit-${address}`, channel: 'ion gauge' },
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
export const soakLines = (): SoakLine[] => [eurotherm(), pfeiffer(), lakeShore(), sharedLine(), freeRunning()];
