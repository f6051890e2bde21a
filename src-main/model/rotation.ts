// The arithmetic of a turning sample, in one place: turns per minute, seconds a turn, frames a turn. Each of the three is
// used by somebody (the operator says rpm, the start of a session takes seconds, its settings answer in frames), and a
// wrong unit shows only as a slow drift of the picture. Nothing here rounds but what goes out as a whole number.

/** One speed in three units. */
export interface Rotation {
  readonly rpm: number;
  readonly secondsPerTurn: number;
  readonly framesPerTurn: number;
}

/**
 * Say a speed in all three units.
 *
 * @param rpm - turns per minute above 0.
 * @param framesPerSecond - frames per second above 0.
 * @returns the three, unrounded.
 */
export function rotationOf(rpm: number, framesPerSecond: number): Rotation {
  const secondsPerTurn = 60 / rpm;
  return { rpm, secondsPerTurn, framesPerTurn: secondsPerTurn * framesPerSecond };
}

/** What goes out at the start of a session. */
export interface RotationFields {
  /** Seconds a turn. */
  readonly rotational_period: number;
  /** Absent where the speed rounds to 0, which would say that nothing turns. */
  readonly rotations_per_min?: number;
}

/** The fields of a start: the period in seconds, exact, and turns per minute as the whole number that the field takes. */
export function rotationFields(rpm: number): RotationFields {
  const whole = Math.round(rpm);
  return { rotational_period: 60 / rpm, ...(whole === 0 ? {} : { rotations_per_min: whole }) };
}

/** How far a picture drifts when a rounded speed is believed. Positive: the rounded speed runs ahead. */
export interface RoundingDrift {
  readonly degreesPerTurn: number;
  readonly degreesPerMinute: number;
}

/**
 * How far turns drift apart in which a rounded speed is taken for the true one.
 *
 * @param rpm - the true turns per minute above 0.
 * @param sentRpm - those that were sent.
 * @returns degrees for each true turn, and each minute; 0 when they are the same.
 */
export function roundingDrift(rpm: number, sentRpm: number): RoundingDrift {
  return { degreesPerTurn: 360 * (sentRpm / rpm - 1), degreesPerMinute: 360 * (sentRpm - rpm) };
}

/** How a service answered a period that was sent in seconds. */
export type PeriodReading = 'seconds' | 'frames' | 'seconds-or-frames' | 'differs';

/**
 * Tell in which unit a service gives a period back.
 *
 * @param sentSeconds - the seconds that were sent.
 * @returns the unit that fits; both at 1 frame per second. A service may round frames to a whole number.
 */
export function readPeriod(answer: number, sentSeconds: number, framesPerSecond: number): PeriodReading {
  const isSeconds = Math.abs(answer - sentSeconds) <= 1e-6 * sentSeconds + 1e-9;
  const frames = sentSeconds * framesPerSecond;
  const isFrames = Math.abs(answer - frames) <= 1e-6 * frames + 1e-9 || answer === Math.round(frames);
  if (isSeconds && isFrames) return 'seconds-or-frames';
  if (isSeconds) return 'seconds';
  return isFrames ? 'frames' : 'differs';
}

/** What an angle channel says of the speed. More than one candidate: the channel alone does not tell. */
export interface TurningGuess {
  /** Turns per minute that fit, slowest first; negative: against the sense in which the angle counts. */
  readonly candidatesRpm: readonly number[];
  /** Seconds between two rows. */
  readonly rowSeconds: number;
  /** Degrees from row to row, the shorter way round. */
  readonly degreesPerRow: number;
  /** Why no single number is given; empty when there is one. */
  readonly warning: string;
}

/** Faster than this no substrate turns, unless the settings say so. */
const FASTEST_RPM = 30;

/**
 * Find the speeds that an angle channel allows. Rows that are more than half a turn apart look like a slow turn backwards:
 * -64.3 degrees in 2.16 s are 4.96 rpm against the sense of the angle, or 22.8 rpm with it.
 *
 * @param timesMs - stamps (milliseconds, rising) and angles (degrees).
 * @param degrees - as many.
 * @returns all speeds up to FASTEST_RPM; null with fewer than two rows, or when nothing turns.
 */
export function guessTurning(timesMs: readonly number[], degrees: readonly number[]): TurningGuess | null {
  const rows = Math.min(timesMs.length, degrees.length);
  const gapsS: number[] = [];
  let [x, y] = [0, 0];
  for (let row = 1; row < rows; row++) {
    gapsS.push(((timesMs[row] as number) - (timesMs[row - 1] as number)) / 1000);
    const step = (((degrees[row] as number) - (degrees[row - 1] as number)) * Math.PI) / 180;
    x += Math.cos(step);
    y += Math.sin(step);
  }
  const rowSeconds = median(gapsS);
  if (!(rowSeconds > 0)) return null;
  // The mean of directions: steps of 179 and -179 degrees are 180 in the middle, not 0.
  const degreesPerRow = (Math.atan2(y, x) * 180) / Math.PI;
  const rpmOf = (turns: number) => (degreesPerRow + 360 * turns) / rowSeconds / 6;
  if (Math.abs(degreesPerRow) < 0.01) return null;
  const farthest = Math.ceil((FASTEST_RPM * rowSeconds) / 60) + 1;
  const all = Array.from({ length: 2 * farthest + 1 }, (_, at) => rpmOf(at - farthest));
  const fitting = all.filter((rpm) => Math.abs(rpm) <= FASTEST_RPM).sort((a, b) => Math.abs(a) - Math.abs(b));
  const candidatesRpm = fitting.length > 0 ? fitting : [rpmOf(0)];
  return { candidatesRpm, rowSeconds, degreesPerRow, warning: warn(candidatesRpm, rowSeconds, degreesPerRow) };
}

function warn(candidatesRpm: readonly number[], rowSeconds: number, degreesPerRow: number): string {
  if (candidatesRpm.length < 2) return '';
  const speeds = candidatesRpm.map((rpm) => `${Math.abs(rpm).toFixed(2)} rpm ${rpm < 0 ? 'backwards' : 'forwards'}`);
  return (
    `The angle is written every ${rowSeconds.toFixed(2)} s and moves ${degreesPerRow.toFixed(1)} degrees from row to row: ` +
    `that is ${speeds.join(' or ')}. Say which in the settings.`
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
