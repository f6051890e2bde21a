// The time of a row as text, written from the instant. Nothing here is shared with what reads it.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const DAY_MS = 86_400_000;

const pad = (n: number, digits = 2) => String(n).padStart(digits, '0');

const clocks = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than all the rest of a log. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts, second: 'numeric' });
  clocks.set(timeZone, clock);
  return clock;
}

/** The clock on the wall of a zone, as if it were UTC, Unix ms; by the system's own tables of zones. */
export function wallClock(instantMs: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(instantMs);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wholeMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wholeMs + (((instantMs % 1000) + 1000) % 1000);
}

/** Digits behind the second; none: no mark either. */
function fractionOf(ms: number, digits: number, mark: string): string {
  if (digits === 0) return '';
  return mark + pad(ms, 3).padEnd(9, '0').slice(0, digits);
}

/**
 * Write a wall clock (as if UTC).
 *
 * @returns its cells.
 */
export function writeStamp(form: string, wallMs: number, digits: number): string[] {
  const d = new Date(wallMs);
  const [year, month, day] = [d.getUTCFullYear(), d.getUTCMonth() + 1, d.getUTCDate()];
  const fraction = fractionOf(d.getUTCMilliseconds(), digits, '.');
  const clock = `${pad(d.getUTCHours())}:${pad(d.getUTCMinutes())}:${pad(d.getUTCSeconds())}${fraction}`;
  const half = d.getUTCHours() < 12 ? 'AM' : 'PM';
  switch (form) {
    case 'iso':
      return [`${year}-${pad(month)}-${pad(day)}T${clock}`];
    case 'isoBlank':
      return [`${year}-${pad(month)}-${pad(day)} ${clock}`];
    case 'slashes':
      return [`${year}/${pad(month)}/${pad(day)} ${clock}`];
    case 'german':
      return [`${pad(day)}.${pad(month)}.${year} ${clock}`];
    case 'british':
      return [`${pad(day)}/${pad(month)}/${year} ${clock}`];
    case 'american':
      return [`${month}/${day}/${year} ${d.getUTCHours() % 12 || 12}${clock.slice(2)} ${half}`];
    case 'words':
      return [`${pad(day)}-${MONTHS[month - 1]}-${year} ${clock}`];
    case 'monthFirst':
      return [`${MONTHS[month - 1]} ${pad(day)}, ${year} ${clock}`];
    case 'asctime':
      return [`${DAYS[d.getUTCDay()]} ${MONTHS[month - 1]} ${pad(day)} ${clock.slice(0, 8)} ${year}`];
    case 'compact':
      return [`${year}${pad(month)}${pad(day)} ${clock.replaceAll(':', '')}`];
    case 'compactWhole':
      return [`${year}${pad(month)}${pad(day)}${clock.replaceAll(':', '').slice(0, 6)}`];
    case 'columns':
      return [`${year}-${pad(month)}-${pad(day)}`, clock];
    case 'columnsGerman':
      return [`${pad(day)}.${pad(month)}.${year}`, clock];
    case 'timeFirst':
      return [clock, `${year}-${pad(month)}-${pad(day)}`];
    case 'parts':
      return [year, month, day, d.getUTCHours(), d.getUTCMinutes(), `${d.getUTCSeconds()}${fraction}`].map(String);
    case 'msColumn':
      return [`${year}-${pad(month)}-${pad(day)}`, clock.slice(0, 8), String(d.getUTCMilliseconds())];
    case 'timeOfDay':
      return [clock];
    case 'twelve':
      return [`${year}-${pad(month)}-${pad(day)} ${pad(d.getUTCHours() % 12 || 12)}${clock.slice(2)}`];
    case 'yearless':
      return [`${MONTHS[month - 1]} ${pad(day)} ${clock}`];
    case 'weekday':
      return [DAYS[d.getUTCDay()] as string, clock];
    case 'excelParts': {
      const days = (wallMs - Date.UTC(1899, 11, 30)) / DAY_MS;
      return [String(Math.floor(days)), (days % 1).toFixed(9)];
    }
    default:
      throw new Error(form);
  }
}

/** Write a count. Takes the instant, for days the wall clock; what has passed since the start. */
export function writeCount(form: string, instantMs: number, wallMs: number, sinceMs: number, digits: number): string {
  const days = (zeroMs: number) => ((wallMs - zeroMs) / DAY_MS).toFixed(9);
  const seconds = (ms: number, most = 3) => (ms / 1000).toFixed(Math.min(digits, most));
  switch (form) {
    case 'unix-s':
      return seconds(instantMs);
    case 'unix-ms':
      return String(instantMs);
    case 'unix-us':
      return `${instantMs}000`;
    case 'since-1904':
      return seconds(instantMs - Date.UTC(1904, 0, 1));
    case 'igor':
      return seconds(wallMs - Date.UTC(1904, 0, 1));
    case 'since-1900':
      return seconds(instantMs - Date.UTC(1900, 0, 1));
    case 'filetime':
      return `${instantMs - Date.UTC(1601, 0, 1)}0000`;
    case 'excel':
      return days(Date.UTC(1899, 11, 30));
    case 'excel-1904':
      return days(Date.UTC(1904, 0, 1));
    case 'matlab':
      return days(-719_529 * DAY_MS);
    case 'seconds':
      return seconds(sinceMs);
    case 'ms':
      return String(sinceMs);
    case 'minutes':
      return (sinceMs / 60_000).toFixed(9);
    case 'hours':
      return (sinceMs / 3_600_000).toFixed(9);
    case 'clockNumber':
      return String(Number(new Date(wallMs).toISOString().slice(11, 19).replaceAll(':', '')));
    case 'elapsed':
    case 'fromZero': {
      const s = Math.floor(sinceMs / 1000);
      const hours = Math.floor(s / 3600);
      const clock = `${form === 'elapsed' ? hours : pad(hours)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}`;
      return clock + fractionOf(sinceMs % 1000, digits, '.');
    }
    case 'mmss': {
      const s = Math.floor(sinceMs / 1000);
      return `${pad(Math.floor(s / 60))}:${pad(s % 60)}${fractionOf(sinceMs % 1000, digits, '.')}`;
    }
    default:
      throw new Error(form);
  }
}

/** Write an offset from UTC. */
export function writeOffset(style: string, minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const full = `${sign}${pad(hours)}:${pad(rest)}`;
  const short = rest === 0 ? `${sign}${hours}` : `${sign}${hours}:${pad(rest)}`;
  if (style === '+hh:mm') return full;
  if (style === 'UTC+h') return minutes === 0 ? 'UTC' : `UTC${short}`;
  if (style === 'GMT+hh:mm') return `GMT${full}`;
  return `GMT${short}`;
}
