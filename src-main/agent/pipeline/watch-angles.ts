// The angle of a turning sample, as a tool writes it, does not tell the speed when its rows are more than half a turn apart:
// 22.8 turns per minute each 2.16 s look like 4.97 backwards. A reader of a speed out of such a channel gets both, and
// is never given one number. What any kind of source gives is looked at.
import type { ChannelDeclaration } from '../../model/channel.ts';
import type { News } from '../../model/news.ts';
import type { Readings } from '../../model/readings.ts';
import { guessTurning } from '../../model/rotation.ts';

/** Rows that are looked at together, and how many of them must be there. */
const ROWS_MAX = 60;
const ROWS_MIN = 12;
/** Less than this from row to row is no turning sample, degrees. */
const STEP_MIN = 2;
/** Steps must agree this well: 1 is the same step each time, 0 any. */
const AGREEMENT_MIN = 0.9;
/** A row later than this many usual ones starts from scratch: the tool paused. */
const PAUSE_ROWS = 4;

interface Rows {
  times: number[];
  degrees: number[];
}

/** True for a channel that is declared as an angle, or is one by its name and unit. */
export function isAngle({ name, quantity, unit }: Pick<ChannelDeclaration, 'name' | 'quantity' | 'unit'>): boolean {
  if (quantity === 'angle') return true;
  const isDegrees = /^(deg(ree)?s?|°)$/i.test(unit);
  if (isDegrees) return /angle|azimuth|phi\b|rotat|turn|manip|substrate|sample/i.test(name);
  return unit === '' && /\b(angle|azimuth)\b/i.test(name.replaceAll('_', ' '));
}

/**
 * Watch the angle channels of a source.
 *
 * @param note - hears `rotation.aliased` where an angle allows more than one speed; it names all of them.
 * @returns what looks at all that the source declares and gives.
 */
export function watchAngles(note: (news: News) => void) {
  const watched = new Map<string, Rows>();
  const told = new Map<string, string>();
  const look = (channel: string, rows: Rows) => {
    const text = describeAlias(rows);
    if (text === null || text.key === told.get(channel)) return;
    told.set(channel, text.key);
    const hint =
      'The log alone cannot tell. Set rotation_rpm of the RHEED source to what the drive shows, or let the tool log its angle more often.';
    note({ level: 'warning', code: 'rotation.aliased', message: `${channel}: ${text.message}`, hint });
  };
  return {
    declare(channels: readonly ChannelDeclaration[]): void {
      for (const channel of channels) {
        if (isAngle(channel) && !watched.has(channel.name)) watched.set(channel.name, { times: [], degrees: [] });
      }
    },
    read(blocks: readonly Readings[]): void {
      for (const [channel, rows] of watched) {
        for (const block of blocks) if (take(block, channel, rows)) look(channel, rows);
      }
    },
  };
}

/**
 * Take the newest rows of a block.
 *
 * @returns true when there are enough to look at.
 */
function take({ channels, timesMs, values }: Readings, channel: string, rows: Rows): boolean {
  const column = channels.indexOf(channel);
  if (column === -1) return false;
  for (let row = Math.max(0, timesMs.length - ROWS_MAX); row < timesMs.length; row++) {
    const degrees = values[row * channels.length + column] as number;
    const timeMs = timesMs[row] as number;
    if (!Number.isFinite(degrees)) continue;
    const usualMs = rows.times.length < 2 ? Number.POSITIVE_INFINITY : spanOf(rows.times) / (rows.times.length - 1);
    const sinceMs = timeMs - (rows.times.at(-1) ?? timeMs);
    if (sinceMs < 0 || sinceMs > PAUSE_ROWS * usualMs) Object.assign(rows, { times: [], degrees: [] });
    rows.times.push(timeMs);
    rows.degrees.push(degrees);
  }
  rows.times = rows.times.slice(-ROWS_MAX);
  rows.degrees = rows.degrees.slice(-ROWS_MAX);
  return rows.times.length >= ROWS_MIN;
}

const spanOf = (times: readonly number[]) => (times.at(-1) ?? 0) - (times[0] ?? 0);

/** What is said of an angle that allows several speeds; null: it allows one, or nothing turns. `key` is the same for the same. */
function describeAlias({ times, degrees }: Rows): { message: string; key: string } | null {
  const guess = guessTurning(times, degrees);
  if (guess === null || guess.warning === '' || Math.abs(guess.degreesPerRow) < STEP_MIN) return null;
  if (agreement(degrees) < AGREEMENT_MIN) return null;
  const key = guess.candidatesRpm.map((rpm) => rpm.toPrecision(2)).join(' ');
  return { message: guess.warning, key };
}

/** How well the steps from row to row agree, as the length of their mean direction. */
function agreement(degrees: readonly number[]): number {
  let [x, y] = [0, 0];
  for (let row = 1; row < degrees.length; row++) {
    const step = (((degrees[row] as number) - (degrees[row - 1] as number)) * Math.PI) / 180;
    x += Math.cos(step);
    y += Math.sin(step);
  }
  return Math.hypot(x, y) / Math.max(1, degrees.length - 1);
}
