// The clocks of one process, set by hand: libfaketime stands between the process and the system. The one for threads: without
// its lock, a thread that reads the file leaves another one at an offset of 0, and a monotonic clock goes back for one look.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Why clocks cannot be set here; empty when they can. Install the package `faketime` on Debian or Ubuntu. */
export const noMachineClock = existsSync(LIBRARY) ? '' : `needs ${LIBRARY} (apt-get install faketime)`;

export interface MachineClock {
  /** For the process whose clock it is. */
  readonly env: Record<string, string>;
  /** Set the wall clock to so many seconds off the real one. */
  set(offsetS: number): void;
}

/**
 * Make a clock for a process. Takes a folder for its file, the first offset in seconds, and whether the monotonic clock
 * steps too, as it does after sleep on systems whose monotonic clock counts that.
 */
export function machineClock(folder: string, offsetS = 0, isMonotonicToo = false): MachineClock {
  const file = join(folder, 'faketime.rc');
  // In one step: an empty file is an offset of 0.
  const set = (seconds: number) => {
    writeFileSync(`${file}.new`, `${seconds >= 0 ? '+' : ''}${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  set(offsetS);
  return {
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      ...(isMonotonicToo ? {} : { FAKETIME_DONT_FAKE_MONOTONIC: '1' }),
    },
    set,
  };
}
