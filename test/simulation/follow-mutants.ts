// What a follower must not do, each as a small change of the code, and the faults by which the judge must find it. A change is
// made while the module is loaded (mutate.ts); no file is touched.
//
// Two changes show in no life, since the judge sees only what was stored at its end. That a file which refuses to be opened is not
// there holds up the other files for as long: test/fault/logs/held.test.ts finds it. That names of columns are data matters
// only where a log is cut while it is compared, until it grows: test/unit/sources/log/files/copies.test.ts finds it.
import { BESIDE_HELD, MOVED_TOGETHER, MOVED_UP, ROTATED_TWICE, WAITING } from './chain-lives.ts';
import { append, at, fail } from './deeds.ts';
import type { Schedule } from './follow-schedule.ts';

export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** A life in which it shows; absent: drawn lives soon show it. */
  readonly life?: Schedule;
}

const LOG = 'src-main/sources/log/';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a file is its name',
    file: `${LOG}files/verdict.ts`,
    from: "return isSame ? 'same' : 'other';",
    to: "return 'same';",
  },
  {
    name: 'a file is its object number',
    file: `${LOG}files/file-identity.ts`,
    from: 'return isUnchanged(handle, position, known) || hasSameBody(handle, position, known);',
    to: 'return handle.facts().sizeBytes >= position;',
  },
  {
    name: 'size tells whether a file was truncated',
    file: `${LOG}files/verdict.ts`,
    from: 'if (sizeBytes >= file.byte) return isSame ?',
    to: 'if (sizeBytes >= file.byte) return sizeBytes >= 0 ?',
  },
  {
    name: 'what was read is not compared before it counts',
    file: `${LOG}follow/file-reader.ts`,
    from: "if (!isSameFile(handle, file.byte, file.print)) return 'changed';",
    to: '',
    life: {
      ...{ style: 'copytruncate', match: '*', tickMs: 0.001 },
      deeds: [at(append(2), 0), at(append(1), 60), at('hold', 12, 0), at(append(4), 0)],
    },
  },
  {
    name: 'a block is read once',
    file: `${LOG}follow/file-reader.ts`,
    from: "if (Buffer.compare(last, again) !== 0) return 'changed';",
    to: '',
    life: {
      ...{ style: 'copytruncate', match: '*', tickMs: 0.001, isBackward: true },
      deeds: [at(append(2), 0), at('restart', 20, 0), at(append(2), 0)],
    },
  },
  {
    name: 'files that begin alike are copies',
    file: `${LOG}files/copies.ts`,
    from: "if (!isAlike) return 'different';",
    to: '',
  },
  {
    name: 'a copy is read at once',
    file: `${LOG}files/copies.ts`,
    from: "if (relation === 'different') continue;",
    to: "if (relation !== 'held') continue;",
  },
  {
    name: 'a copy of a file that is gone is the same for ever',
    file: `${LOG}files/look-plan.ts`,
    from: '([file]) => (!isProved(file) || file.copyOf !== null) && file.skip',
    to: '([file]) => !isProved(file) && file.copyOf === null && file.skip',
    life: {
      ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 2, isBackward: false },
      deeds: [at('half', 0), at('rotate', 0, 0, 20, 15, 0, 25, 20, 0)],
    },
  },
  {
    name: 'a torn look is believed',
    file: `${LOG}files/file-registry.ts`,
    from: 'const isSame = isStill(listing, again);',
    to: 'const isSame = true;',
  },
  {
    name: 'what opens need not be the object that was listed',
    file: `${LOG}files/with-file.ts`,
    from: "if (file.seen !== null && !mayBeSame(file.seen.id, handle.facts().id)) return 'gone';",
    to: '',
  },
  {
    name: 'what refuses to be looked at is not there',
    file: `${LOG}files/folder-scan.ts`,
    from: "return saysGone(error) ? null : 'held';",
    to: 'return null;',
    // Refused at each of the three listings of one look.
    life: {
      ...{ style: 'rename-chain', match: 'log.csv', tickMs: 4, keep: 5, isBackward: false },
      deeds: [
        at(append(3), 0),
        at('pause', 30),
        at(append(1), 20, 0),
        at(fail('EIO'), 4),
        at(fail('EIO'), 4),
        at(fail('EIO'), 6),
      ],
    },
  },
  {
    name: 'a shorter file is a new one at once',
    file: `${LOG}files/verdict.ts`,
    from: "return mayBeRewritten && beginsAlike(head, file.print) ? 'shrunk' : 'other';",
    to: "return 'other';",
    life: {
      ...{ style: 'dated', match: '*', tickMs: 0.001 },
      deeds: [at(append(2), 0), at(append(1), 60), at('rewrite', 26, 3)],
    },
  },
  {
    name: 'a chain tells nothing of a file of which nothing was read',
    file: `${LOG}files/chain-holes.ts`,
    from: 'return isOther && Array',
    to: 'return false && Array',
    life: MOVED_UP,
  },
  {
    name: 'what waits for another file of its log is read',
    file: `${LOG}follow/reading-order.ts`,
    from: '!isDoubtful(file) &&',
    to: '',
    life: WAITING,
  },
  {
    name: 'an original that was moved too is gone',
    file: `${LOG}files/file-registry.ts`,
    from: 'if (original !== undefined && this.gone.has(original) && !this.waiting.has(original)) setOriginal',
    to: 'if (original !== undefined) setOriginal',
    life: MOVED_TOGETHER,
  },
  {
    name: 'a copy is the log, also while that may be where nobody can look',
    file: `${LOG}files/look-plan.ts`,
    from: 'isOpen?.(birthPath(heir.file)) !== true ||',
    to: 'isOpen?.(birthPath(heir.file)) !== false ||',
    life: BESIDE_HELD,
  },
  {
    name: 'nothing lies between two files',
    file: `${LOG}files/look-plan.ts`,
    from: 'if (surveyedMs === null) return [];',
    to: 'if (surveyedMs !== null) return [];',
  },
  {
    name: 'a renamed file is forgotten',
    file: `${LOG}files/heirs.ts`,
    from: 'const taken = new Set<WatchedFile>();',
    to: 'const taken = new Set<WatchedFile>(searched);',
  },
  {
    name: 'a file that went is no gap',
    file: `${LOG}files/file-fate.ts`,
    from: "(formerMs - file.lookedMs < RECENT_MS && !isFollowed) ? 'lost' : null",
    to: '(formerMs - file.lookedMs < RECENT_MS && !isFollowed) ? null : null',
  },
  {
    name: 'every file that goes is a gap',
    file: `${LOG}files/file-fate.ts`,
    from: 'const isFollowed = isMoved(file, around) || (!isUnread && isSettled(file, around));',
    to: 'const isFollowed = false;',
    life: {
      ...{ style: 'rename-chain', match: 'log.csv', tickMs: 0.001, keep: 2, names: 'long' },
      deeds: [at('rotate-often', 0), at('pause', 0), at('rotate', 0)],
    },
  },
  {
    name: 'a gap begins with the day',
    file: `${LOG}follow/tell-registry.ts`,
    from: 'const fromMs = missedSince(file);',
    to: 'const fromMs = missedSince(file) - 86_400_000;',
  },
  {
    name: 'a later file does not wait for the one before',
    file: `${LOG}follow/reading-order.ts`,
    from: '(born.get(birthPath(file)) ?? []).some((one) => comesBefore(one, file));',
    to: 'awaited.length < 0;',
    life: {
      ...{ style: 'rename-chain', match: 'log.csv', tickMs: 0.001, keep: 1 },
      deeds: [at('half', 0), at(append(2), 40, 0), at('hold', 0, 0, 0, 0, 0, 0, 1000)],
    },
  },
  {
    name: 'a position is committed without its lines',
    file: `${LOG}follow/gatherer.ts`,
    from: 'batch.blocks.push({ channels, timesMs: parsed.timesMs, values: parsed.values });',
    to: 'if (parsed.timesMs.length !== 2) batch.blocks.push({ channels, timesMs: parsed.timesMs, values: parsed.values });',
  },
  {
    name: 'lines are committed without their position',
    file: `${LOG}follow/gatherer.ts`,
    from: 'batch.positions.set(file.key, takePosition(file));',
    to: "batch.positions.set('@none', takePosition(file));",
  },
  {
    name: 'a position stands within a line',
    file: `${LOG}follow/file-reader.ts`,
    from: 'const toByte = stoppedAt === null ? fromByte + frame.takenBytes : data.fileByteOf(stoppedAt);',
    to: 'const toByte = stoppedAt === null ? fromByte + frame.takenBytes - 1 : data.fileByteOf(stoppedAt);',
  },
  {
    name: 'the first data of a log need not be what the look saw',
    file: `${LOG}files/rotation-watch.ts`,
    from: 'return entry.modifiedMs >= seen.modifiedMs && !isAsKnown &&',
    to: 'return entry.modifiedMs < 0 && !isAsKnown &&',
  },
  {
    name: 'whole seconds tell what stands beside a log',
    file: `${LOG}files/rotation-watch.ts`,
    from: 'if (isNew || !isCoarse(seen)) return !isNew;',
    to: 'if (isNew || isCoarse(seen)) return !isNew;',
    life: ROTATED_TWICE,
  },
  {
    name: 'a handle stays open',
    file: `${LOG}files/with-file.ts`,
    from: '    closeQuietly(handle);',
    to: '',
  },
];
