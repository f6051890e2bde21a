// The zone that a log tells beside its stamps: in the header of its time (`Date Time, GMT-07:00`), in its head (`Time zone:
// UTC+2`), or in a column of its own. What speaks of a zone and is not understood is a question: the zone of the settings
// would be hours off.
import type { Dialect } from '../../model/dialect.ts';
import type { Cut, Line } from './cut.ts';
import { type HeaderChoice, type Undecided, undecided } from './header-line.ts';

/** `zone`: an IANA name or an offset such as -07:00; `unclear`: it speaks of one that several places call so. */
type Told = { readonly zone: string } | 'unclear' | null;

const OFFSET = /(?<![\w.])(?:UTC|GMT|Z)\s*([+\u2212\u00b1-])\s*(\d{1,2})(?::?([0-5]\d))?(?![\d:.])/i;
/** Without a name in front only a form that nothing else has. */
const BARE_OFFSET = /(?:^|[\s,;([])([+\u2212\u00b1-])(\d{2}):([0-5]\d)(?![\d:.])/;
const UTC = /(?<![A-Za-z])(?:UTC|GMT|Zulu)(?![A-Za-z])|[_ ](?:utc|gmt)$/i;
const IANA = /(?<![\w/])(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[\w+/-]+/;
/** Names that mean other offsets in summer, or elsewhere. */
const UNCLEAR =
  /(?:^|[\s,;([])(?:CES?T|ME[SZ]Z?|MESZ|WES?T|EES?T|[ECMP][SD]T|[ECMP]T|BST|IST|JST|KST|AE[SD]T|MSK|HKT|SGT)(?:$|[\s,;)\]])/;

/** Lines of a head that speak of the zone of its stamps. */
const LABEL =
  /^\W*(?:(?:log|local|tool|pc)\s+)?(?:time[\s_-]*zone|zeitzone|fuseau\s+horaire|zona\s+horaria|(?:utc|gmt)[\s_-]*offset|offset\s+(?:from|to)\s+(?:utc|gmt)|tz)\b[^:=;,\t|]*[:=;,\t|]?\s*"?(.*?)"?\W*$/i;
const SENTENCE = /\b(?:all\s+)?(?:times?|stamps?|timestamps)\s+(?:are\s+|is\s+)?(?:given\s+)?in\s+(.+)$/i;

function readZone(text: string): Told {
  const [whole, sign, hours, minutes = '00'] = OFFSET.exec(text) ?? BARE_OFFSET.exec(text) ?? [];
  if (whole !== undefined) {
    if (Number(hours) > 14) return 'unclear';
    return { zone: `${sign === '+' || sign === '\u00b1' ? '+' : '-'}${(hours as string).padStart(2, '0')}:${minutes}` };
  }
  const iana = IANA.exec(text)?.[0];
  if (iana !== undefined) return { zone: iana };
  if (UTC.test(text)) return { zone: 'UTC' };
  return UNCLEAR.test(text) ? 'unclear' : null;
}

/** Behind a label an offset may be no more than hours. */
function readLabelled(text: string): Told {
  if (text.trim() === '') return null;
  const found = readZone(text);
  if (found !== null) return found;
  const [, sign, hours, fraction] =
    /^([+\u2212-]?)\s*(\d{1,2})(?::?([0-5]\d)|\.(?:0+|5|50))?\s*(?:h|hours)?$/.exec(text.trim()) ?? [];
  if (hours === undefined || Number(hours) > 14) return 'unclear';
  const half = /\.50?/.test(text) ? '30' : (fraction ?? '00');
  return { zone: `${sign === '' || sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${half}` };
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
  return findToldZone(names, before, path) ?? timeZone;
}

/**
 * Find the zone that a file tells for stamps that carry none.
 *
 * **Takes**: the headers of its time columns, the lines before its data, the path. **Gives**: an IANA name or an offset;
 * null when it tells none; or the question that is open.
 */
function findToldZone(headers: readonly string[], before: readonly string[], path: string): string | Undecided | null {
  const texts: { text: string; told: Told }[] = headers.map((text) => ({ text, told: readZone(text) }));
  for (const text of before) {
    const label = LABEL.exec(text)?.[1];
    const sentence = SENTENCE.exec(text)?.[1];
    if (label !== undefined) texts.push({ text, told: readLabelled(label) });
    else if (sentence !== undefined) texts.push({ text, told: readZone(sentence) });
  }
  const said = texts.filter(({ told }) => told !== null);
  const zones = [...new Set(said.map(({ told }) => (told === 'unclear' ? 'unclear' : told?.zone)))];
  const [zone] = zones;
  if (zone === undefined) return null;
  if (zones.length === 1 && zone !== 'unclear') return zone;
  const shown = said.map(({ text }) => `"${text.trim().slice(0, 80)}"`).join(' and ');
  const why = zones.length > 1 ? 'speaks of several time zones' : 'speaks of a time zone that is not certain';
  return undecided(
    'log.zone-unclear',
    `${path} ${why}: ${shown}.`,
    'Say which one its stamps are of, by its IANA name or as an offset.',
    false,
    [{ time: { zone: 'Europe/Berlin' } }, { time: { zone: '+02:00' } }],
  );
}
