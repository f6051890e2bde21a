// The zone that a log tells beside its stamps: in the header of its time (`Date Time, GMT-07:00`), in its head (`Time zone:
// UTC+2`), or in a column of its own. What speaks of a zone and is not understood is a question: the zone of the settings
// would be hours off.
import type { Dialect } from '../../model/dialect.ts';
import type { Cut, Line } from './cut.ts';
import { type HeaderChoice, type Undecided, undecided } from './header-line.ts';

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
const IANA = /(?<![\w/])(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[\w+/-]+/;
/** Names that mean other offsets in summer, or elsewhere. */
const UNCLEAR =
  /(?:^|[\s,;([])(?:CES?T|ME[SZ]Z?|MESZ|WES?T|EES?T|[ECMP][SD]T|[ECMP]T|BST|IST|JST|KST|AE[SD]T|MSK|HKT|SGT|[A-Z]{3}\d[A-Z]{3})(?:$|[\s,;)\]])/;

/** What such names mean most often: offered, never assumed. */
const LIKELY: Readonly<Record<string, string>> = {
  ...{ CET: '+01:00', MEZ: '+01:00', CEST: '+02:00', MESZ: '+02:00', BST: '+01:00', EET: '+02:00', MSK: '+03:00' },
  ...{ EST: '-05:00', EDT: '-04:00', CST: '-06:00', CDT: '-05:00', MST: '-07:00', MDT: '-06:00', PST: '-08:00' },
  ...{ PDT: '-07:00', JST: '+09:00', KST: '+09:00', IST: '+05:30', HKT: '+08:00', SGT: '+08:00', AEST: '+10:00' },
};

/** Lines of a head that speak of the zone of its stamps. */
const LABEL =
  /^\W*(?:(?:log|local|tool|pc|time|clock)\s+)?(?:time[\s_-]*zone|zeitzone|fuseau\s+horaire|zona\s+horaria|(?:utc|gmt)[\s_-]*offset|offset\s+(?:from|to)\s+(?:utc|gmt)|tz)\b[^:=;,\t|]*[:=;,\t|]?\s*"?(.*?)"?\W*$/i;
/** A line that speaks of universal time, and is no stamp of something else (`Created 2026-11-18 08:00 UTC`). */
const SAYS_UNIVERSAL = /(?<![A-Za-z])(?:UTC|GMT)(?![A-Za-z])/;
const HAS_STAMP = /\d{4}|\d[:./]\d\d[^\d]*\d/;
const SENTENCE = /\b(?:all\s+)?(?:times?|stamps?|timestamps)\s+(?:are\s+|is\s+)?(?:given\s+)?in\s+(.+)$/i;

const MINUTES: Readonly<Record<string, string>> = { '5': '30', '50': '30', '25': '15', '75': '45' };

/** The parts of an offset as one text. **Gives**: -07:00 and the like; `unclear` for hours that no place has. */
function writeOffset([, sign = '+', hours = '', ...minutes]: readonly (string | undefined)[]): Told {
  const told = minutes.find((one) => one !== undefined) ?? '00';
  const isFraction = minutes[2] !== undefined;
  if (Number(hours) > 14) return 'unclear';
  const isEast = sign === '' || sign === '+' || sign === '\u00b1';
  return { zone: `${isEast ? '+' : '-'}${hours.padStart(2, '0')}:${isFraction ? (MINUTES[told] ?? '00') : told}` };
}

function readZone(text: string): Told {
  const iana = IANA.exec(text)?.[0];
  if (iana !== undefined) return { zone: iana };
  const universal = UNIVERSAL.exec(text);
  if (universal) {
    const behind = universal[1] ?? '';
    const offset = OFFSET.exec(behind);
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

/**
 * Settle the zone of stamps that carry none: what the dialect says, else what the file tells, else that of the settings.
 * **Gives**: an IANA name or an offset; or the question that is open.
 */
export function settleZone(
  { time, first }: Cut,
  header: HeaderChoice,
  lines: readonly Line[],
  path: string,
  dialect: Dialect,
  timeZone: string,
): string | Undecided {
  if (dialect.time.zone !== null) return dialect.time.zone;
  const names = header.line === null ? [] : time.columns.map((column) => header.cells[column] ?? '');
  const before = lines.slice(0, header.line ?? first).map(({ text }) => text);
  return findToldZone(names, before, path, timeZone) ?? timeZone;
}

/**
 * Find the zone that a file tells for stamps that carry none.
 *
 * **Takes**: the headers of its time columns, the lines before its data, the path, the zone of the settings. **Gives**: an IANA name or an offset;
 * null when it tells none; or the question that is open.
 */
function findToldZone(
  headers: readonly string[],
  before: readonly string[],
  path: string,
  timeZone: string,
): string | Undecided | null {
  const texts: { text: string; told: Told }[] = headers.map((text) => ({ text, told: readZone(text) }));
  for (const text of before) {
    const label = LABEL.exec(text)?.[1];
    const sentence = SENTENCE.exec(text)?.[1];
    if (label !== undefined) texts.push({ text, told: readLabelled(text, label) });
    else if (sentence !== undefined) texts.push({ text, told: readZone(sentence) });
    else if (SAYS_UNIVERSAL.test(text) && !HAS_STAMP.test(text)) texts.push({ text, told: readZone(text) });
  }
  const said = texts.filter(({ told }) => told !== null);
  const zones = [...new Set(said.map(({ told }) => (told === 'unclear' ? 'unclear' : told?.zone)))];
  const [zone] = zones;
  if (zone === undefined) return null;
  if (zones.length === 1 && zone !== 'unclear') return zone;
  const shown = said.map(({ text }) => `"${text.trim().slice(0, 80)}"`).join(' and ');
  const likely = said.flatMap(({ text }) => (text.match(/[A-Z]{3,4}/g) ?? []).flatMap((name) => LIKELY[name] ?? []));
  const why = zones.length > 1 ? 'speaks of several time zones' : 'speaks of a time zone that is not certain';
  return undecided(
    'log.zone-unclear',
    `${path} ${why}: ${shown}.`,
    'Say which one its stamps are of, by its IANA name or as an offset.',
    false,
    [...new Set([...likely, timeZone])].map((zone) => ({ time: { zone } })),
  );
}
