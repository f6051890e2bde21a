import type { Value } from '../../../contract/table.ts';
import { tellRotation } from '../../../growth/rheed-session/start-body.ts';
import { rotationFields, rotationOf, roundingDrift } from '../../../model/rotation.ts';

type RotationView = NonNullable<Value<'rheed', 'preview'>['rotation']>;

/** What is known of a session's rotation. */
export interface RotationParts {
  /** Turns per minute as they were given; null: it does not turn. */
  readonly rpm: number | null;
  /** Frames per second; null: not known yet. */
  readonly fps: number | null;
  /** What the service answered (4.5); null: not read yet. */
  readonly settings: Readonly<Record<string, unknown>> | null;
}

/**
 * Say what the service holds, or will hold, of a turning sample against what was given.
 *
 * @returns the speed in its units, the whole number that goes out, and how far a picture drifts for a reader who believes the
 *   number that the service holds (before it is read back: the one that goes out); null for a sample that does not turn.
 */
export function viewRotation({ rpm, fps, settings }: RotationParts): RotationView | null {
  if (rpm === null) return null;
  const { secondsPerTurn, framesPerTurn } = rotationOf(rpm, fps ?? 0);
  const sentRpm = rotationFields(rpm).rotations_per_min ?? null;
  const answered = settings?.rotations_per_min;
  const heldRpm = typeof answered === 'number' ? answered : null;
  const believed = heldRpm ?? sentRpm;
  const drift = believed === null ? null : roundingDrift(rpm, believed);
  return {
    rpm,
    secondsPerTurn,
    framesPerTurn: fps === null ? null : framesPerTurn,
    sentRpm,
    heldRpm,
    degreesPerTurn: drift?.degreesPerTurn ?? null,
    degreesPerMinute: drift?.degreesPerMinute ?? null,
    text: tellRotation({ rpm, fps }),
  };
}
