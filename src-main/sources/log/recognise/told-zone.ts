// The zone that a log tells beside its stamps: in the header of its time (`Date Time, GMT-07:00`), in its head (`Time zone:
// UTC+2`), or in a column of its own. What speaks of a zone and is not understood is a question: the zone of the settings
// would be hours off. So is a stamp of the head with an offset of its own (`Start: 2026-11-20T08:00:00-07:00`) that is not
// the offset of the rows: nobody can tell by which of the two clocks they were written. And which hour it is that comes twice,
// or twice a day without AM and PM.
import type { Dialect } from '../../../model/dialect.ts';
import { shownLine } from '../cells/shown-line.ts';
import { joinTimeCells } from '../columns/time-columns.ts';
import type { Layout } from '../parse/layout.ts';
import { DAY_MS } from '../time/calendar.ts';
import type { FoundStart } from '../time/found-start.ts';
import { isHourOpen, isSkipped, lastInstant, passesChange, passesSpring, tellHour } from '../time/hour-twice.ts';
import { SKIPPED_HINT } from '../time/hour-watch.ts';
import { compileTimeFormat, isCount, isRelative } from '../time/time-format.ts';
import { isZone, ZoneClock } from '../time/zone-clock.ts';
import { likelyOffsets, namesCityOf, windowsZone } from '../time/zone-names.ts';
import { offsetText } from '../time/zone-offset.ts';
import { offsetsTold } from './auto-start.ts';
import type { Cut, Line } from './cut.ts';
import { type HeaderChoice, type Undecided, undecided } from './header-line.ts';
import { datedStamps, type Head, spanOf } from './settle-time.ts';
import { isTimeOfDay } from './table-cut.ts';
import { offsetByUnix } from './unix-beside.ts';
import { listWitnesses } from './witnesses.ts';

/** `zone`: an IANA name or an offset such as -07:00; `unclear`: it speaks of one that several places call so. */
type Told = { readonly zone: string } | 'unclear' | null;

/** Universal time by name, and what stands behind it on the line. */
const UNIVERSAL = /(?<![A-Za-z])(?:UTC|GMT|Zulu)(?![A-Za-z])(.*)$|[_ ](?:utc|gmt)()$/i;
/** An offset in full; a dash of any length is a minus. */
const OFFSET =
  /^\s*([+\u2212\u00b1\u2010-\u2014-])\s*(\d{1,2})(?::([0-5]\d)(?::00)?|([0-5]\d)|[.,](0+|5|50|25|75))?\s*(?:h|hours?)?(?![\w.,:])/i;
/** Something that an offset begins with: then all of it must be understood. */
const OFFSET_BEGINS = /^[^A-Za-z]*\d|^\W*(?:plus|minus)\b|^\s*[+\u2212\u00b1\u2010-\u2014]/i;
/** Without a name in front only a form that nothing else has. */
const BARE_OFFSET = /(?:^|[\s,;([])([+\u2212\u00b1-])(\d{2}):([0-5]\d)(?![\d:.])/;
const IANA = /(?<![\w/])(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)\/[\w+/-]+/;
const CITIES = /^\)\s*\p{L}{3}/u;
/** Names that mean other offsets in summer, or elsewhere. */
const UNCLEAR =
  /\b(?:Standard|Daylight) Time\b|(?:^|[\s,;([])(?:CES?T|ME[SZ]Z?|MESZ|WES?T|EES?T|[ECMP][SD]T|[ECMP]T|BST|IST|JST|KST|AE[SD]T|MSK|HKT|SGT|[A-Z]{3}\d[A-Z]{3})(?:$|[\s,;)\]])/;

/** Lines of a head that speak of the zone of its stamps. */
const LABEL =
  /^\W*(?:(?:log|local|tool|pc|time|clock)\s+)?(?:time[\s_-]*zone|zeitzone|fuseau\s+horaire|zona\s+horaria|(?:utc|gmt)[\s_-]*offset|offset\s+(?:from|to)\s+(?:utc|gmt)|tz)\b[^:=;,\t|]*[:=;,\t|]?\s*"?(.*?)"?\W*$/i;
/** A line that speaks of universal time, and is no stamp of something else (`Created 2026-11-18 08:00 UTC`). */
const SAYS_UNIVERSAL = /(?<![A-Za-z])(?:UTC|GMT)(?![A-Za-z])/;
const HAS_STAMP = /\d{4}|\d[:./]\d\d[^\d]*\d/;
const SENTENCE = /\b(?:all\s+)?(?:times?|stamps?|timestamps)\s+(?:are\s+|is\s+)?(?:given\s+)?in\s+(.+)$/i;

/** In the name of a time also without a gap: TimeUTC, UtcTime, timestamp_z, UT date, Time (Z). */
const UNIVERSAL_NAME = /utc|gmt|universal|(?:^|[^A-Za-z])ut(?![A-Za-z])|[_( ]z\)?$/i;

const MINUTES: Readonly<Record<string, string>> = { '5': '30', '50': '30', '25': '15', '75': '45' };

/**
 * The parts of an offset as one text.
 *
 * @returns -07:00 and the like; `unclear` for hours that no place has.
 */
function writeOffset([, sign = '+', hours = '', ...minutes]: readonly (string | undefined)[]): Told {
  const told = minutes.find((one) => one !== undefined) ?? '00';
  const isFraction = minutes[2] !== undefined;
  if (Number(hours) > 14) return 'unclear';
  const isEast = sign === '' || sign === '+' || sign === '\u00b1';
  return { zone: `${isEast ? '+' : '-'}${hours.padStart(2, '0')}:${isFraction ? (MINUTES[told] ?? '00') : told}` };
}

function readZone(text: string): Told {
  const named = IANA.exec(text)?.[0] ?? windowsZone(text);
  if (named !== null) return isZone(named) ? { zone: named } : 'unclear';
  const universal = UNIVERSAL.exec(text);
  if (universal) {
    const behind = universal[1] ?? '';
    const offset = OFFSET.exec(behind);
    // The offset of winter stands before a list of cities, whose clocks change: (UTC+01:00) Amsterdam, Berlin, Bern.
    if (offset && CITIES.test(behind.slice(offset[0].length))) return 'unclear';
    if (offset) return writeOffset(offset);
    return OFFSET_BEGINS.test(behind) ? 'unclear' : { zone: 'UTC' };
  }
  const bare = BARE_OFFSET.exec(text);
  if (bare) return writeOffset(bare);
  return UNCLEAR.test(text) ? 'unclear' : null;
}

/** Behind a label an offset may be no more than hours, with minutes behind a colon or in four digits. */
function readLabelled(line: string, text: string): Told {
  if (text.trim() === '') return null;
  const found = readZone(text);
  if (found !== null) return found;
  // Minutes and seconds are no hours.
  if (/\((?:min|m|s|sec)/i.test(line)) return 'unclear';
  // Minutes without a colon only behind two digits of hours.
  const [, sign, hours, ...minutes] =
    /^([+\u2212\u2010-\u2014-]?)\s*(\d{1,2}(?!\d)|\d{2}(?=\d\d(?!\d)))(?::([0-5]\d)(?::00)?|([0-5]\d)|[.,](0+|5|50|25|75))?\s*(?:h|hours?)?$/i.exec(
      text.trim(),
    ) ?? [];
  if (hours === undefined) return 'unclear';
  return writeOffset([undefined, sign, hours, ...minutes]);
}

/** What the stamps of a file are, as far as it matters for their zone. */
interface Stamps {
  /** First and last one that was looked at, as if UTC, Unix ms; NaN: they tell no day. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Settle the zone of stamps that carry none: what the dialect says, else what the file tells, else that of the settings.
 *
 * @param timeZone - the zone of the settings.
 * @param format - the format of the stamps.
 * @returns an IANA name or an offset; or the question that is open.
 */
export function settleZone(
  cut: Cut,
  header: HeaderChoice,
  lines: readonly Line[],
  path: string,
  dialect: Dialect,
  timeZone: string,
  format: string,
): string | Undecided {
  if (dialect.time.zone !== null) return dialect.time.zone;
  const names = header.line === null ? [] : cut.time.columns.map((column) => header.cells[column] ?? '');
  const before = lines.slice(0, header.line ?? cut.first).map(({ text }) => text);
  const stamps = zonelessStamps(cut, format, dialect);
  const told = findToldZone(names, before, path, timeZone, stamps);
  if (told !== null && typeof told !== 'string') return told;
  const isDated = stamps !== null && !Number.isNaN(stamps.firstMs);
  const proof = isDated ? offsetByUnix(cut, format, told ?? timeZone) : null;
  if (typeof proof === 'number') {
    const own = proof === 0 ? 'UTC' : offsetText(proof);
    if (proof === 0 && told === null) return own;
    return undecided(
      'log.zone-unclear',
      `The Unix time beside the stamps of ${path} says that they are of ${own}; ${told === null ? 'the zone of the settings' : 'its head'} says ${told ?? timeZone}.`,
      'Say which zone the rows are of, by its IANA name or as an offset.',
      false,
      [{ time: { zone: own } }, { time: { zone: told ?? timeZone } }],
    );
  }
  const zone = told ?? timeZone;
  return (stamps === null ? null : otherOffset(before, path, zone, stamps)) ?? zone;
}

/** The stamps of the rows; null where each carries its zone, or needs none: a count, or a time since a start. */
function zonelessStamps({ rows, first, width, time, decimal }: Cut, format: string, dialect: Dialect): Stamps | null {
  if (isRelative(format)) return null;
  const isTimeOnly = time.needs === 'day' || isTimeOfDay(dialect);
  const reader = compileTimeFormat(format, { decimal, isTimeOnly });
  const own = rows.slice(first).filter((row) => row.length >= width);
  const isRead = (row: readonly string[]) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
    return reader.read(bytes, 0, bytes.length);
  };
  if (!own.some(isRead) || reader.hasZone) return null;
  const firstMs = reader.stampMs;
  own.findLast(isRead);
  return isTimeOnly ? { firstMs: Number.NaN, lastMs: Number.NaN } : { firstMs, lastMs: reader.stampMs };
}

/** How far a stamp of the head may lie from the first row and still be of the same day, whatever the two zones are. */
const SAME_DAY_MS = 1.5 * DAY_MS;

/** The question that a stamp of the head asks which carries another offset than the rows would get; null: none does. */
function otherOffset(before: readonly string[], path: string, zone: string, { firstMs }: Stamps): Undecided | null {
  const clock = new ZoneClock(zone);
  const other = offsetsTold(before).find(({ localMs, instantMs, isBegin }) => {
    const isOwn = isBegin || Number.isNaN(firstMs) || Math.abs(localMs - firstMs) < SAME_DAY_MS;
    if (!isOwn) return false;
    // In the hour that comes twice its offset says no more than one of the two.
    clock.toInstant(localMs, Number.NaN);
    return clock.toLocal(instantMs) !== localMs || clock.lastKind === 'twice';
  });
  if (other === undefined) return null;
  const minutes = (other.localMs - other.instantMs) / 60_000;
  const own = minutes === 0 ? 'UTC' : offsetText(minutes);
  const local = offsetText((clock.toLocal(other.instantMs) - other.instantMs) / 60_000);
  return undecided(
    'log.zone-unclear',
    `Line ${other.line + 1} of ${path}, ${shownLine(before[other.line])}, has ${own} as its time zone; the rows carry none and would be read as of ${zone}, which is ${local} then.`,
    'Say which zone the rows are of, by its IANA name or as an offset.',
    false,
    [{ time: { zone: own } }, { time: { zone } }],
  );
}

/**
 * Find the zone that a file tells for stamps that carry none.
 *
 * @param headers - the headers of its time columns.
 * @param before - the lines before its data.
 * @param timeZone - the zone of the settings.
 * @returns an IANA name or an offset; null when it tells none; or the question that is open.
 */
function findToldZone(
  headers: readonly string[],
  before: readonly string[],
  path: string,
  timeZone: string,
  stamps: Stamps | null,
): string | Undecided | null {
  const toldBy = (name: string) => readZone(name) ?? (UNIVERSAL_NAME.test(name) ? { zone: 'UTC' } : null);
  const texts: { text: string; told: Told }[] = headers.map((text) => ({ text, told: toldBy(text) }));
  for (const text of before) {
    const label = LABEL.exec(text)?.[1];
    const sentence = SENTENCE.exec(text)?.[1];
    if (label !== undefined) texts.push({ text, told: readLabelled(text, label) });
    else if (sentence !== undefined) texts.push({ text, told: readZone(sentence) });
    else if (SAYS_UNIVERSAL.test(text) && !HAS_STAMP.test(text)) texts.push({ text, told: readZone(text) });
  }
  const said = texts.filter(({ told }) => told !== null);
  const zones = [
    ...new Set(
      said.map(({ text, told }) => {
        if (told !== 'unclear') return told?.zone;
        return isOfSettings(text, timeZone, stamps) ? timeZone : told;
      }),
    ),
  ];
  const [zone] = zones;
  if (zone === undefined) return null;
  if (zones.length === 1 && zone !== 'unclear') return zone;
  const shown = said.map(({ text }) => shownLine(text)).join(' and ');
  const likely = said.flatMap(({ text }) => likelyOffsets(text));
  const why = zones.length > 1 ? 'speaks of several time zones' : 'speaks of a time zone that is not certain';
  return undecided(
    'log.zone-unclear',
    `${path} ${why}: ${shown}.`,
    'Say which one its stamps are of, by its IANA name or as an offset.',
    false,
    [...new Set([...likely, timeZone])].map((zone) => ({ time: { zone } })),
  );
}

/** True where a name can only mean what the settings say: their city, or an offset that their zone has at these stamps too. */
function isOfSettings(text: string, timeZone: string, stamps: Stamps | null): boolean {
  if (namesCityOf(text, timeZone)) return true;
  const [likely, ...others] = likelyOffsets(text);
  if (likely === undefined || others.length > 0 || stamps === null || Number.isNaN(stamps.firstMs)) return false;
  const [own, told] = [new ZoneClock(timeZone), new ZoneClock(likely)];
  const isSame = (localMs: number) => own.toInstant(localMs, Number.NaN) === told.toInstant(localMs, Number.NaN);
  return isSame(stamps.firstMs) && isSame(stamps.lastMs);
}

/**
 * Settle the stamps of a file in the hour that the end of summer time repeats, where their order does not.
 *
 * @param format - how the stamps are written.
 * @param data - rows, in their order, and some of the end of the file.
 * @param next - rows from the beginning on, none left out.
 * @param zone - the zone of the stamps.
 * @param start - where their times begin; null: they tell all.
 * @returns what the layout is to know of it; or the question.
 */
export function settleHour(
  cut: Cut,
  format: string,
  data: readonly (readonly string[])[],
  next: () => readonly (readonly string[])[],
  zone: string,
  dialect: Dialect,
  { path, modifiedMs }: { readonly path: string; readonly modifiedMs: number },
  start: FoundStart | null,
): Pick<Layout, 'isLaterHour' | 'hourToldMs' | 'repeatedHour' | 'isZoneNamed'> | Undecided {
  const { repeated_hour } = dialect.time;
  const said = {
    ...(repeated_hour !== 'auto' && { repeatedHour: repeated_hour }),
    ...(dialect.time.zone !== null && { isZoneNamed: true as const }),
  };
  const isTimeOnly = cut.time.needs === 'day' || isTimeOfDay(dialect);
  const isSince = start !== null && (isRelative(format) || start.isElapsed === true);
  // A start with a zone of its own is one instant.
  if (isSince && new ZoneClock(zone).toInstant(start.localMs, Number.NaN) !== start.instantMs) return said;
  const since = isSince ? spanOf(format, data, cut.time.columns, cut.decimal) : { firstMs: 0, lastMs: 0 };
  const dayMs = isTimeOnly && start !== null ? Math.floor(start.localMs / DAY_MS) * DAY_MS : 0;
  const stamps = isSince ? [start.localMs] : datedStamps(cut, format, data, isTimeOnly, dayMs);
  const [first = 0, last = 0] = isSince ? [since.firstMs, since.lastMs] : [stamps[0], stamps.at(-1)];
  const stepMs = (last - first) / Math.max(1, data.length - 1);
  const told = tellHour(stamps, zone, modifiedMs - since.lastMs, stepMs);
  if (told === true) return { ...said, isLaterHour: true };
  const ofAll = () => (isSince ? stamps : datedStamps(cut, format, next(), isTimeOnly, dayMs));
  if (told === false && dialect.time.zone === null) {
    const skipped = passesSpring(stamps, zone) ? ofAll().find((localMs) => isSkipped(localMs, zone)) : undefined;
    if (skipped !== undefined) return askSkipped(skipped, zone, path);
  }
  if (told === false && !passesChange(stamps, zone)) return said;
  if (told === false && !isHourOpen(ofAll(), zone)) return { ...said, hourToldMs: lastInstant(ofAll(), zone) };
  if (repeated_hour !== 'auto') return { ...said, ...(repeated_hour === 'second' && { isLaterHour: true }) };
  const [way, offsets] =
    told === false ? ['goes once through', ''] : ['begins in', ` (${told.offsets.map(offsetText).join(' or ')})`];
  return undecided(
    'log.hour-twice',
    `${path} ${way} the hour that the end of summer time repeats, and nothing tells whether it is the first or the second one${offsets}.`,
    'Say which. If the clock of the tool does not follow summer time, say its zone as an offset instead, such as +01:00.',
    false,
    (['first', 'second'] as const).map((repeated_hour) => ({ time: { repeated_hour } })),
  );
}

function askSkipped(localMs: number, zone: string, path: string): Undecided {
  const shown = new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
  const before = offsetText((localMs - new ZoneClock(zone).toInstant(localMs, Number.NaN)) / 60_000);
  return undecided(
    'log.hour-skipped',
    `${shown} in ${path} is of the hour that the beginning of summer time skips in ${zone}: the clock of the tool does not follow it, or was set late.`,
    SKIPPED_HINT,
    false,
    [{ time: { zone: before } }, { time: { zone } }],
  );
}

/** The usual step between rows, milliseconds, where it is so long that the hour that comes twice can hide in it; else none. */
export function slowStep(
  cut: Cut,
  format: string,
  data: readonly (readonly string[])[],
  dialect: Dialect,
): Pick<Layout, 'stepMs'> {
  const isTimeOnly = cut.time.needs === 'day' || isTimeOfDay(dialect);
  const stamps = datedStamps(cut, format, data, isTimeOnly, 0);
  const steps = stamps.slice(1).map((localMs, index) => localMs - (stamps[index] as number));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return usual >= SLOW_MS ? { stepMs: usual } : {};
}

const SLOW_MS = 1_800_000;

const HOUR_MS = 3_600_000;
/** Rows of a log that passes noon lie no further apart. */
const STEP_MAX_MS = 2 * HOUR_MS;
/** How near to half a day a witness lies from stamps of which the half is not written. */
const HALF_WITHIN_MS = 600_000;

/**
 * Stamps that know no hours but 1 to 12, and no AM or PM: which half of the day is it? They pass noon or midnight where they go
 * back, as from 12:59 to 01:00; and another half is meant where the last change of the file, or the clock of this PC, lies half a day from the last of them.
 *
 * @param format - the format of the time.
 * @param data - rows, in their order.
 * @param timeZone - the zone of the stamps.
 * @returns the question; else whether the hours seen leave the halves open. A person who has named the format is believed.
 */
export function doubtHours(
  { time, decimal }: Cut,
  format: string,
  head: Head,
  dialect: Dialect,
  data: readonly (readonly string[])[],
  timeZone: string,
): Undecided | boolean {
  if (dialect.time.format !== 'auto' || isRelative(format) || isCount(format) || / ?a$/.test(format)) return false;
  const isTimeOnly = time.needs === 'day' || dialect.time.start !== null;
  const reader = compileTimeFormat(format, { decimal, isTimeOnly });
  const stamps = data.flatMap((row) => {
    const text = joinTimeCells(row, time.columns);
    const bytes = new TextEncoder().encode(text);
    return reader.read(bytes, 0, bytes.length) ? [{ text, atMs: reader.stampMs, hasZone: reader.hasZone }] : [];
  });
  const hourOf = (atMs: number | undefined) => Math.floor((atMs ?? 0) / HOUR_MS) % 24;
  if (!stamps.every(({ atMs }) => hourOf(atMs) >= 1 && hourOf(atMs) <= 12)) return false;
  const ask = (what: string) =>
    undecided(
      'log.hours-unclear',
      `${what}: its hours seem to count to 12, and no AM or PM says which half of the day it is.`,
      'Let the tool write AM and PM, or 24 hours. If they are of 24 hours, name the format.',
      false,
      [{ time: { format } }],
    );
  const backMs = (n: number) => (stamps[n - 1]?.atMs ?? 0) - (stamps[n]?.atMs ?? 0);
  // From 12:59 to 01:00 it is half a day, less the step; a table of several series goes back by anything.
  const at = stamps.findIndex((_, n) => backMs(n) < DAY_MS / 2 && backMs(n) > DAY_MS / 2 - STEP_MAX_MS);
  if (at !== -1) return ask(`"${stamps[at]?.text}" stands behind "${stamps[at - 1]?.text}" in ${head.path}`);
  const last = stamps.at(-1);
  if (last === undefined) return false;
  const lastMs = last.hasZone ? last.atMs : new ZoneClock(timeZone).toInstant(last.atMs, Number.NaN);
  const { modifiedMs, nowMs } = listWitnesses([], head);
  // The last line of all may be one or two steps later: it was cut off, or waits.
  const stepMs = (last.atMs - (stamps[0]?.atMs ?? last.atMs)) / Math.max(1, stamps.length - 1);
  const withinMs = Math.max(HALF_WITHIN_MS, 2 * stepMs);
  const isHalfAway = (witnessMs: number) => {
    const apartMs = Math.abs(witnessMs - lastMs) % (isTimeOnly ? DAY_MS : Number.POSITIVE_INFINITY);
    return Math.abs(apartMs - DAY_MS / 2) < withinMs;
  };
  // Times of day without a date lie half a day from some clock by chance.
  if (isHalfAway(modifiedMs))
    return ask(`"${last.text}", the last time of ${head.path}, is half a day from its last change`);
  if (!isTimeOnly && isHalfAway(nowMs))
    return ask(`"${last.text}", the last time of ${head.path}, is half a day from now`);
  return true;
}
