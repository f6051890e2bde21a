// What is known of a text before it is cut: its form, where the first line says more than those below, and its code page.
import { listReadings } from '../cells/foreign-text.ts';
import type { Line } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';

/** A form that is not read: its lines would be taken for a table that they are not. Null: none of these. */
export function refuseForm(lines: readonly Line[], path: string): Undecided | null {
  const texts = lines.map(({ text }) => text.trim()).filter((text) => text !== '');
  const [first = ''] = texts;
  if (first === 'IGOR') {
    return undecided(
      'log.igor-text',
      `${path} is an Igor text file: its waves have no one time, and its clock has no zone.`,
      'Let the tool write a table with a time in each line, or leave the file out with a narrower match.',
    );
  }
  const tags = texts.filter((text) => /^<[?!/\p{L}]/u.test(text)).length;
  const isXml = /^<[?!\p{L}]/u.test(first) && tags * 2 > texts.length;
  const isJson =
    /^[[{]+$/.test(first) && texts.slice(1).some((text) => /^"[^"]*"\s*:/.test(text) || /^[[{]/.test(text));
  if (!isXml && !isJson) return null;
  return undecided(
    'log.form-unread',
    `${path} holds ${texts.length} lines of ${isXml ? 'XML' : 'JSON that is spread over several lines'}, a form that is not read.`,
    `Let the tool write a table with a time in each line${isXml ? '' : ', or an object a line'}; or leave the file out with a narrower match.`,
  );
}

const NAME = String.raw`(?:\\.|[^\\,= ])+`;
const FIELD = String.raw`${NAME}=(?:"(?:\\.|[^"\\])*"|[^", ]+)`;
/** `pressure,gauge=IG value=1.3e-8,status=1i 1795166100000000000`. Source: InfluxDB v2, "Line protocol". */
const INFLUX = new RegExp(
  String.raw`^[A-Za-z_](?:\\.|[^\\,= ])*(?:,${NAME}=${NAME})* +${FIELD}(?:,${FIELD})* +-?\d{9,19}$`,
);

/** InfluxDB line protocol: its tags tell apart what has the same name. Null: other lines. */
export function refuseInflux(lines: readonly Line[], path: string): Undecided | null {
  const texts = lines.map(({ text }) => text.trim()).filter((text) => text !== '' && !text.startsWith('#'));
  const fitting = texts.filter((text) => INFLUX.test(text)).length;
  if (fitting < 2 || fitting < texts.length * 0.9) return null;
  return undecided(
    'log.influx-lines',
    `${path} is in InfluxDB line protocol, which Epistream does not read.`,
    'Let the tool write a table with a time in each line. Where all lines have the same fields, a line pattern that ends with (?P<time>\\d+) reads them, with time: { format: unix-ns }. Or leave the file out with a narrower match.',
  );
}

/**
 * Ask about text that was read as Western because it is no UTF-8, and looks otherwise.
 *
 * @param told - what names its columns.
 * @returns the question; null where it is Western.
 */
export function doubtEncoding(told: Uint8Array, path: string): Undecided | null {
  const readings = listReadings(told);
  if (readings.length === 0) return null;
  const ways = readings.map(({ encoding, shown }) => `"${shown}" as ${encoding}`).join(', ');
  return undecided(
    'log.encoding-unclear',
    `The text of ${path} is no UTF-8 and does not look Western: ${ways}.`,
    'Say which code page the tool writes, these or another one.',
    false,
    readings.map(({ encoding }) => ({ encoding })),
  );
}

/** Carriage returns from which on, without any line feed, no line feed is on its way. */
const RETURNS_MIN = 3;

/**
 * Refuse text whose lines end with a carriage return alone, as old programs of the Mac write them: it has no line, for ever.
 *
 * @param bytes - the head of the file.
 * @returns the refusal; null where a line feed ends a line, or may still come.
 */
export function refuseReturns(bytes: Uint8Array, path: string): Undecided | null {
  if (bytes.includes(10) || bytes.filter((byte) => byte === 13).length < RETURNS_MIN) return null;
  return undecided(
    'log.line-ends',
    `The lines of ${path} end with a carriage return alone, which is not read.`,
    'Let the tool write line feeds, as all programs of today do, or leave the file out with a narrower match.',
  );
}
