// Shutters and other states. A channel tells the screen its name and unit alone, so a state is a channel without a unit that
// holds nothing but 0 and 1.

/** A line as far as its states are read off it; times and values are as many. */
export interface StateLine {
  readonly channel: string;
  readonly unit: string;
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

/** What is called like this is a state even while it is 0 all the time; a counter of faults that saw none is not. */
const STATE_NAME = /shutter|valve|gate|door|open|state/i;

/**
 * Tell whether a line holds a state: nothing but 0 and 1, and 1 somewhere or a name that says so. The interface tells of a
 * channel its name and unit alone, so this is read off its values.
 */
export function isState({ channel, unit, values }: Omit<StateLine, 'timesMs'>): boolean {
  if (unit !== '' || values.length === 0 || values.some((value) => value !== 0 && value !== 1)) return false;
  return values.includes(1) || STATE_NAME.test(channel);
}
