import { StayAwake } from '../../platform/stay-awake.ts';
import type { Finding } from './finding.ts';

/** Longest wait for the operating system to answer, milliseconds. PowerShell takes seconds for its first start. */
const ANSWER_MS = 20_000;

/**
 * Check whether this PC can be kept from falling asleep, by doing so for a moment.
 *
 * @param isWanted - the setting `keep_awake`.
 * @param makeAwake - makes what keeps it awake, and tells of each change.
 * @returns a warning where the PC may fall asleep while it records.
 */
export async function checkAwake(
  isWanted: boolean,
  makeAwake = (onChange: () => void) => new StayAwake({ onChange }),
): Promise<Finding> {
  const subject = 'sleep';
  const hint = 'Switch sleep off in the power settings of this PC: a sleeping PC records nothing.';
  if (!isWanted) return { level: 'warning', subject, message: 'keep_awake is false: this PC may fall asleep.', hint };
  const answered = Promise.withResolvers<void>();
  const awake = makeAwake(answered.resolve);
  const timer = setTimeout(answered.resolve, ANSWER_MS);
  awake.follow(true);
  if (awake.problem !== null) await answered.promise;
  clearTimeout(timer);
  const { problem } = awake;
  awake.follow(false);
  if (problem === null)
    return { level: 'ok', subject, message: 'This PC stays awake while Epistream records.', hint: '' };
  return { level: 'warning', subject, message: `This PC may fall asleep while Epistream records: ${problem}`, hint };
}
