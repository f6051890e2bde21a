// Where relative times begin, when no dialect says so: a stamp before the data, else one in the name of the file or its
// folders. Several that differ, or one whose day and month can be exchanged, are a question.

import { DAY_MS } from '../time/calendar.ts';
import type { FoundStart, StartRule } from '../time/found-start.ts';
import { type FoundStamp, findStamps, readWith } from '../time/stamp-search.ts';
import type { ZoneClock } from '../time/zone-clock.ts';
import { offsetBeside } from '../time/zone-offset.ts';
import { type Undecided, undecided } from './header-line.ts';

/** A start as it was found. */
interface Candidate {
  readonly text: string;
  readonly label: string;
  /** All that it can mean, each a stamp as if it were UTC unless it carries a zone, and how it is written (null: in two places). */
  readonly readings: readonly { readonly stampMs: number; readonly hasZone: boolean; readonly format: string | null }[];
  /** It has a time of day, too. */
  readonly isWhole: boolean;
}

/** Words before a stamp that say it is the beginning. */
const BEGIN = /start|begin|began|begun|record|acqui|t ?= ?0|time ?zero|created|anfang|beginn|gestartet|début|inicio/i;
const END = /end|stop|finish|export|saved|print|expir|modif|calib|ende|gespeichert/i;

/**
 * Find the start of a file, or the day of its first line.
 *
 * @param lines - the lines before the data.
 * @param needs - what is needed.
 * @param isLive - whether the modification time of the file may be that of its last line.
 * @returns the start with the place it was found at; or the question that is open.
 */
export function findAutoStart(
  lines: readonly string[],
  path: string,
  needs: 'start' | 'day',
  zone: ZoneClock,
  isLive: boolean,
): FoundStart | Undecided {
  const inHeader = chosen(needs === 'start' ? startsIn(lines) : daysIn(lines));
  if (inHeader.length > 0) return settle(inHeader, 'header', path, needs, zone);
  for (const part of path.split('/').reverse()) {
    const inName = namedStamps(part, needs);
    if (inName.length > 0) return settle(inName, 'name', path, needs, zone);
  }
  return undecided(
    'log.no-start',
    needs === 'start'
      ? `${path} counts its time from a start that neither its first lines nor its name tell.`
      : `${path} tells the time of day and no date, neither in its first lines nor in its name.`,
    needs === 'start'
      ? `Put date and time into its name, such as 2026-11-20_10-15-00, or exclude it with a narrower match. ${isLive ? 'Only where the tool itself writes all files of the folder there, and nobody copies them: the modification time of a file can stand for its last line.' : 'Its modification time does not tell: the file was copied.'}`
      : 'Put the date into its name, such as log_2026-11-20.txt, or into a first line such as "Date: 2026-11-20"; or exclude it with a narrower match. No setting can tell it.',
    false,
    needs === 'start' && isLive ? [{ time: { start: { from: 'file' } } }] : [],
  );
}

/** Dates of other things that stand in a head. */
const OTHER =
  /calib|version|firmware|software|valid|birth|install|recipe|build|built|revision|\brev\b|due|copyright|©|licen|serial|manufact|last|since|model|printed|login|sample|reference|config/i;

/**
 * List the days that the lines before the data, and the name of the file, tell of it.
 *
 * @returns each with its text and place, and the days that it can mean, as if UTC, Unix ms; those that say they are the
 *   beginning alone, where there are such.
 */
export function daysTold(
  lines: readonly string[],
  path: string,
): { readonly text: string; readonly place: string; readonly daysMs: readonly number[] }[] {
  const head = chosen(daysIn(lines)).filter(({ label }) => !OTHER.test(label));
  const name = namedStamps(path.slice(path.lastIndexOf('/') + 1), 'day');
  const told = (place: string) => (one: Candidate) => ({
    text: one.text,
    place,
    daysMs: one.readings.map(({ stampMs }) => Math.floor(stampMs / DAY_MS) * DAY_MS),
  });
  return [...head.map(told('header')), ...name.map(told('name'))];
}

/** A stamp of a head that carries its own offset from UTC, or has it beside it. */
interface ToldOffset {
  /** Index of its line. */
  readonly line: number;
  /** As it is written, as if UTC, and as instant, Unix ms. */
  readonly localMs: number;
  readonly instantMs: number;
  /** Its line says that it is the beginning. */
  readonly isBegin: boolean;
}

/** List the stamps before the data that carry their own offset, but for those that say to be of something else. */
export function offsetsTold(lines: readonly string[]): ToldOffset[] {
  return lines.flatMap((text, line) =>
    findStamps(text).flatMap(({ shape, text: stamp, label, behind }): ToldOffset[] => {
      if (shape.kind !== 'stamp' || OTHER.test(label) || END.test(label)) return [];
      // Where day and month can be exchanged the offset is the same.
      const [only] = shape.formats.map((format) => readWith(format, stamp)).filter((one) => one !== null);
      if (only === undefined) return [];
      const beside = only.hasZone ? only.offsetMinutes : offsetBeside(label, behind);
      if (beside === null) return [];
      const instantMs = only.hasZone ? only.stampMs : only.stampMs - beside * 60_000;
      return [{ line, localMs: instantMs + beside * 60_000, instantMs, isBegin: BEGIN.test(label) }];
    }),
  );
}

/** Those whose label says that they are the beginning; else those that do not say the contrary. */
function chosen(all: readonly Candidate[]): readonly Candidate[] {
  // `Recipe started` is of the run, `Recipe` is not.
  const others = all.filter(({ label }) => !END.test(label) && (BEGIN.test(label) || !OTHER.test(label)));
  const begins = others.filter(({ label }) => BEGIN.test(label));
  return begins.length > 0 ? begins : others;
}

function settle(
  all: readonly Candidate[],
  from: 'header' | 'name',
  path: string,
  needs: 'start' | 'day',
  zone: ZoneClock,
): FoundStart | Undecided {
  const round = (stampMs: number) => (needs === 'day' ? Math.floor(stampMs / DAY_MS) * DAY_MS : stampMs);
  const stamps = new Map(
    [...all]
      .sort((a, b) => Number(a.isWhole) - Number(b.isWhole))
      .flatMap(({ readings }) => readings.map((reading) => [`${round(reading.stampMs)} ${reading.hasZone}`, reading])),
  );
  const [only] = stamps.values();
  if (stamps.size === 1 && only !== undefined) {
    const instantMs = only.hasZone ? only.stampMs : zone.toInstant(only.stampMs, Number.NaN);
    const times = new Set(all.flatMap((one) => (one.isWhole ? one.readings.map(({ stampMs }) => stampMs) : [])));
    const localMs = only.hasZone ? zone.toLocal(only.stampMs) : only.stampMs;
    // Two times of one day settle the day, and no start.
    return { from, isWhole: times.size === 1, instantMs, localMs, rules: rulesOf(all, from) };
  }
  const texts = [...new Set(all.map(({ text }) => `"${text}"`))];
  const isOrderOpen = all.some(({ readings }) => readings.length > 1);
  const what = isOrderOpen ? 'day and month of it can be exchanged' : 'they differ';
  return undecided(
    'log.start-ambiguous',
    `The start of ${path} is not certain: ${texts.slice(0, 4).join(', ')} in its ${from}, and ${what}.`,
    'Say which one it is and how it is written.',
    false,
    rulesOf(all, from).map((start) => ({ time: { start } })),
  );
}

/** The candidates as a dialect names them, so that each can be told from the others. */
function rulesOf(all: readonly Candidate[], from: 'header' | 'name'): StartRule[] {
  const rules = all.flatMap(({ readings, label }) =>
    readings.flatMap(({ format }): StartRule[] => {
      const after = from === 'header' ? label.trim().slice(-100) : '';
      return format === null ? [] : [{ from, ...(after !== '' && { after }), format }];
    }),
  );
  const written = rules.map((rule) => JSON.stringify(rule));
  return rules.filter((_, index) => written.indexOf(written[index] as string) === index).slice(0, 4);
}

/** Full stamps before the data; a date and a time of neighbouring lines are one. */
function startsIn(lines: readonly string[]): Candidate[] {
  const found = lines.map((line) => findStamps(line));
  const starts = found.flat().filter(({ shape }) => shape.kind === 'stamp');
  const all = [...starts.map((one) => candidateOf(one)), ...joinedIn(found)];
  const compact = lines.flatMap((line) => (all.length === 0 ? namedStamps(line, 'start') : []));
  return [...all, ...compact];
}

/** Times before which such a word stands are no times of day. */
const LENGTH = /interval|duration|dauer|base|period|rate|sampl|length|step|takt|every/i;

/** A date with the time of day of its line or a neighbouring one. */
function joinedIn(found: readonly (readonly FoundStamp[])[]): Candidate[] {
  const timeOf = (stamps: readonly FoundStamp[] = []) =>
    stamps.find(({ shape, label }) => shape.kind === 'time' && !LENGTH.test(label) && !END.test(label));
  return found.flatMap((stamps, index) => {
    const date = stamps.find(({ shape }) => shape.kind === 'date');
    const time = timeOf(stamps) ?? timeOf(found[index + 1]) ?? timeOf(found[index - 1]);
    return date !== undefined && time !== undefined ? [joined(date, time)] : [];
  });
}

/** Days before the data: of dates, else of full stamps. A date with a time of day beside it tells when that day began to count. */
function daysIn(lines: readonly string[]): Candidate[] {
  const found = lines.map((line) => findStamps(line));
  const dated = found.flat().filter(({ shape }) => shape.kind !== 'time');
  const all = [...dated.map((one) => candidateOf(one)), ...joinedIn(found)];
  return all.length > 0 ? all : lines.flatMap((line) => namedStamps(line, 'day'));
}

function candidateOf({ shape, text, label, behind }: FoundStamp): Candidate {
  const offset = shape.kind === 'stamp' ? offsetBeside(label, behind) : null;
  const readings = distinct(shape.formats.map((format) => readBy(format, text, format, offset)));
  return { text, label, readings, isWhole: shape.kind === 'stamp' };
}

function joined(date: FoundStamp, time: FoundStamp): Candidate {
  const text = `${date.text} ${time.text}`;
  const formats = date.shape.formats.flatMap((one) => time.shape.formats.map((other) => `${one} ${other}`));
  const offset = offsetBeside(time.label, time.behind) ?? offsetBeside(date.label, date.behind);
  const readings = distinct(formats.map((format) => readBy(format, text, null, offset)));
  return { text, label: date.label, readings, isWhole: true };
}

/** Takes the offset that stands beside the stamp, minutes; null: none. No rule of a dialect tells such a one. */
function readBy(
  format: string,
  text: string,
  told: string | null,
  offset: number | null,
): Candidate['readings'][number] | null {
  const reading = readWith(format, text);
  if (reading === null) return null;
  if (reading.hasZone || offset === null) return { ...reading, format: told };
  return { stampMs: reading.stampMs - offset * 60_000, hasZone: true, format: null };
}

function distinct(readings: readonly (Candidate['readings'][number] | null)[]): Candidate['readings'] {
  const known = readings.filter((reading) => reading !== null);
  return known.filter(({ stampMs }, index) => known.findIndex((other) => other.stampMs === stampMs) === index);
}

/** Stamps as names carry them: 20261120_101500, 2026-11-20 10-15-00, 20.11.2026_1015. */
const YEAR_FIRST =
  /(?<!\d)((?:19|20)\d\d)([-_. ]?)(\d{1,2})\2(\d{1,2})(?:[-_ T.,]{1,3}(\d{1,2})([-_.:h ]?)(\d\d)(?:\6(\d\d)(?:[.,](\d{3,}))?)?)?(?!\d)/g;
const YEAR_FIRST_WHOLE = /(?<!\d)((?:19|20)\d\d)()(\d\d)(\d\d)(\d\d)()(\d\d)(\d\d)(?:[.,](\d{3,}))?(?!\d)/g;
const YEAR_LAST =
  /(?<!\d)(\d\d)([-_. ]?)(\d\d)\2((?:19|20)\d\d)(?:[-_ T.,]{1,3}(\d\d)([-_.:h ]?)(\d\d)(?:\6(\d\d)(?:[.,](\d{3,}))?)?)?(?!\d)/g;

/** Year, month and day as they are written. */
type Order = readonly (string | undefined)[];

function namedStamps(text: string, needs: 'start' | 'day'): Candidate[] {
  const found: Candidate[] = [];
  const add = (match: RegExpMatchArray, orders: readonly Order[], forms: readonly (readonly string[])[]) => {
    const [hour, minute, second = '0'] = [match[5], match[7], match[8]];
    const fractionMs = Number(`0.${match[9] ?? '0'}`) * 1000;
    if (needs === 'start' && (hour === undefined || minute === undefined)) return;
    const readings = orders.flatMap(([year, month, day], index) => {
      const stampMs = stampOf(year, month, day, hour ?? '0', minute ?? '0', second);
      const format = formOf(match, forms[index] ?? []);
      return stampMs === null ? [] : [{ stampMs: stampMs + fractionMs, hasZone: false, format }];
    });
    const label = text.slice(0, match.index);
    if (readings.length > 0) {
      found.push({ text: match[0], label, readings: distinct(readings), isWhole: hour !== undefined });
    }
  };
  for (const match of [...text.matchAll(YEAR_FIRST), ...text.matchAll(YEAR_FIRST_WHOLE)]) {
    add(match, [[match[1], match[3], match[4]]], [['yyyy', 'MM', 'dd']]);
  }
  if (found.length > 0) return found;
  for (const match of text.matchAll(YEAR_LAST)) {
    const [, one, mark, two, year] = match;
    add(
      match,
      mark === '.'
        ? [[year, two, one]]
        : [
            [year, two, one],
            [year, one, two],
          ],
      [
        ['dd', 'MM', 'yyyy'],
        ['MM', 'dd', 'yyyy'],
      ],
    );
  }
  return found;
}

/** The pattern of a stamp as a name carries it. */
function formOf(match: RegExpMatchArray, [one = '', two = '', three = '']: readonly string[]): string | null {
  const [text, first = '', mark = '', second = '', third = '', hour, between = '', , end, fraction] = match;
  const date = first.length + second.length + third.length + 2 * mark.length;
  if (hour === undefined) return [one, two, three].join(mark);
  const gap = text.slice(date, text.indexOf(hour, date));
  if (/[A-Za-z]/.test(mark + between)) return null;
  const quoted = gap.replaceAll(/[A-Za-z]+/g, (letters) => `'${letters}'`);
  const part = fraction === undefined ? '' : `${text.charAt(text.length - fraction.length - 1)}SSS`;
  return `${[one, two, three].join(mark)}${quoted}HH${between}mm${end === undefined ? '' : `${between}ss`}${part}`;
}

function stampOf(...parts: (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const stampMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(stampMs);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? stampMs : null;
}
