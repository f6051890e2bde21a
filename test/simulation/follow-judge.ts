// The judge of one life of a log source. It sees what was stored (lines, positions, gaps) and what the writer did; what the
// reader thinks of it counts for nothing.
//
// - lost: a line stands in a file at the end, and was not stored.
// - doubled: a line was stored twice. Allowed only where an older copy was put back over the log and a gap said so in between; or
//   where what it is a copy of had been rotated away or destroyed before, and both were written on: logs that begin alike.
// - silent: a line was destroyed, and no gap tells of its time. Allowed where no look could show it: it did not
//   stand under one name for a whole look, and nothing of its file was stored, or it came between a copy and the truncation after it.
// - needless: a gap although all that was written stands, or stood when the gap was told; or for a file that was moved away and
//   stored whole by two looks of which no call failed. Allowed where the live file itself was destroyed: nobody can know whether
//   lines were missed; and where the file system does not tell when a file was made, and no file of which lines were stored came
//   behind what was destroyed, or lines written in that time were not stored yet; and where a log that was cut could not be looked
//   at before it was longer than its copy: lines may have come between copy and cut.
// - wide: a gap over time in which lines of the very file were stored, or that begins an hour before anything was written.
// - order: a line was stored behind a later one.
// - position: what was stored of a file is not the beginning of any stream of bytes that ever stood in one file, ends in a
//   line, or does not agree with the position that was stored with it; two files that are followed stand at one path.
// - handles: a file is open between two looks.
// - failure: the source gave up for good.
//
// Where two changes of the log (rotations, replacements, copies) fall between three looks, nobody can tell all that happened in
// between. Then gaps may be needless or wide, lines out of order, and what such a change destroyed may be untold. What stands
// is read once all the same. Where something was destroyed, a look of which a call failed is none of the three.
import { Buffer } from 'node:buffer';
import { birthPath, isFilePosition } from '../../src-main/sources/log/files/watched-file.ts';
import type { Capture } from '../../src-main/sources/source.ts';
import { COPY, type FollowWriter, LIVE, linesOf } from './follow-writer.ts';
import type { SimulatedFiles, Stream } from './simulated-files.ts';

/** No life lasts so long, ms. */
const LIFE_MS = 3_600_000;
/** Looks within which two changes of the log are too many. */
const HASTY_LOOKS = 3;

export type FaultKind =
  | 'lost'
  | 'doubled'
  | 'silent'
  | 'needless'
  | 'wide'
  | 'order'
  | 'position'
  | 'handles'
  | 'failure';

export interface Fault {
  readonly kind: FaultKind;
  readonly what: string;
}

export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: string;
}

interface StoredPosition {
  readonly path: string;
  readonly byte: number;
  readonly copyOf: string | null;
  readonly goneMs: number | null;
}

interface Ending {
  readonly atMs: number;
  readonly stream: Stream;
  readonly isRestore: boolean;
}

export class FollowJudge {
  readonly #files: SimulatedFiles;
  readonly #writer: FollowWriter;
  readonly #isMatch: (name: string) => boolean;
  readonly faults: Fault[] = [];
  readonly gaps: Gap[] = [];
  /** When each line was stored, in the order of storing. */
  readonly #stored = new Map<number, number[]>();
  #newest = 0;
  /** What was stored of each file, by key. */
  readonly #texts = new Map<string, string>();
  readonly #copies = new Map<string, string | null>();
  readonly #endings: Ending[] = [];
  readonly #exposed = new Set<number>();
  readonly #looksOverMs: number[] = [];
  /** Of these, those of which no call failed. */
  readonly #wholeLooksMs: number[] = [];
  /** Of the others, how long the live file was then. */
  readonly #blindLooks: { readonly atMs: number; readonly liveBytes: number }[] = [];
  #hasFailed = false;
  /** What stood in the live file at the end of each look, where lines of it were stored; null: none were. */
  readonly #liveStored: (Stream | null)[] = [];
  /** Lines under names that the match leaves out, before any log was seen: nobody asked for them. */
  readonly beside = new Set<number>();

  constructor(files: SimulatedFiles, writer: FollowWriter, isMatch: (name: string) => boolean) {
    this.#isMatch = isMatch;
    this.#files = files;
    this.#writer = writer;
  }

  get storedCount(): number {
    return this.#stored.size;
  }

  fault(kind: FaultKind, what: string): void {
    this.faults.push({ kind, what });
  }

  /** A fault only if the log was not changed twice within three looks before this time. */
  #faultUnlessHasty(kind: FaultKind, what: string, atMs: number, looksOverMs = this.#looksOverMs): void {
    const before = looksOverMs.filter((ms) => ms < atMs);
    const fromMs = before.at(-HASTY_LOOKS) ?? 0;
    const changes = this.#writer.changesMs.filter((change) => change.toMs >= fromMs && change.fromMs <= atMs);
    if (changes.length < 2) this.fault(kind, what);
  }

  /** A call of the look that is made now failed. */
  noteCallFailed(): void {
    this.#hasFailed = true;
  }

  noteLookBegins(): void {
    this.#hasFailed = false;
    for (const [name, stream] of this.#logs()) {
      stream.begunBytes = stream.text.length;
      stream.begunAs = name;
    }
  }

  noteLookOver(nowMs: number): void {
    for (const [name, stream] of this.#logs()) {
      // Rotated files of a log that was never seen are nobody's.
      const isAsked = this.#isMatch(name) || this.#stored.size > 0;
      if (!isAsked || stream.begunAs !== name) continue;
      // Of a log that came up a look of which a call failed need not have shown more than its name.
      if (this.#hasFailed && stream.shownBytes === 0) continue;
      const isGlimpsed = this.#hasFailed && !this.#files.tellsBirth && !this.#hasStored(stream);
      const how = isGlimpsed ? 'glimpsedBytes' : 'shownBytes';
      stream[how] = Math.max(stream[how], stream.begunBytes);
    }
    this.#looksOverMs.push(nowMs);
    if (!this.#hasFailed) this.#wholeLooksMs.push(nowMs);
    else this.#blindLooks.push({ atMs: nowMs, liveBytes: this.#files.text(LIVE).length });
    const live = this.#files.streamOf(LIVE);
    this.#liveStored.push(live !== undefined && this.#hasStored(live) ? live : null);
    if (this.#files.handles > 0) this.fault('handles', `${this.#files.handles} open`);
  }

  /** Files that a tool wrote under names of its own, and what else the match asks for. */
  #logs(): [string, Stream][] {
    const names = this.#files.names.filter((name) => name.startsWith(LIVE) || (name === COPY && this.#isMatch(COPY)));
    return names.map((name) => [name, this.#files.streamOf(name) as Stream]);
  }

  noteEnd(stream: Stream, atMs: number): void {
    const isRestore = this.#writer.restoresMs.at(-1) === atMs;
    this.#endings.push({ atMs, stream, isRestore });
    const lines = linesOf(stream.text);
    const stored = lines.filter((line) => this.#stored.has(line));
    // An older copy that holds all that was stored looks like the log itself, saved again.
    const isCovered = isRestore && stored.every((line) => linesOf(this.#files.text(LIVE)).includes(line));
    if (stored.length === 0 || isCovered) return;
    const { standing } = this.#writer;
    for (const line of lines) {
      if (!standing.has(line) && !this.#writer.behindCopy.has(line)) this.#exposed.add(line);
    }
  }

  noteStored(capture: Capture, nowMs: number): void {
    for (const { values } of capture.blocks) {
      for (const value of values) if (!Number.isNaN(value)) this.#noteLine(value, nowMs);
    }
    const pieces = new Set<string>();
    for (const { file, fromByte, bytes } of capture.sourceBytes ?? []) {
      const before = pieces.has(file) || this.#texts.has(file) ? (this.#texts.get(file) ?? '') : '';
      if (fromByte !== before.length) this.#inherit(file, fromByte, capture);
      pieces.add(file);
      const text = (this.#texts.get(file) ?? '') + Buffer.from(bytes).toString('latin1');
      this.#texts.set(file, text);
      if (!text.endsWith('\n')) this.fault('position', `${file} ends within a line`);
      if (!this.#files.streams.some((stream) => stream.text.startsWith(text))) {
        this.fault('position', `${file}: its first ${text.length} bytes never stood in one file`);
      }
    }
    this.#notePositions(capture);
  }

  #noteLine(line: number, nowMs: number): void {
    const times = this.#stored.get(line) ?? [];
    this.#stored.set(line, [...times, nowMs]);
    const former = times.at(-1);
    const { restored, restoresMs } = this.#writer;
    if (former !== undefined) {
      const isTold = this.gaps.some(({ toMs }) => restoresMs.some((ms) => ms <= toMs) && toMs >= former);
      const isForked = this.#files.standing.filter(({ text }) => linesOf(text).includes(line)).length > 1;
      const isParted = isForked || (this.#writer.returned.has(line) && this.#hasParted(line));
      if (!restored.has(line) || !(isTold || isParted)) this.fault('doubled', `line ${line}`);
    } else if (line < this.#newest && restoresMs.length === 0 && !this.beside.has(line)) {
      this.#faultUnlessHasty('order', `line ${line} behind ${this.#newest}`, nowMs);
    }
    this.#newest = Math.max(this.#newest, line);
  }

  /**
   * A file that holds all of another one and more goes on where that one ends; so does one that is saved again with the rows of the
   * file that had its name.
   */
  #inherit(file: string, byte: number, { positions }: Pick<Capture, 'positions'>): void {
    const isHeld = (key: string) =>
      positions.some((one) => one.key === key && one.value.includes(JSON.stringify(file)));
    const isFormer = (key: string) => birthPath({ key }) === birthPath({ key: file });
    const others = [...this.#texts].filter(([key, text]) => key !== file && text.length === byte);
    const stood = this.#standsAt(positions.find(({ key }) => key === file)?.value);
    const found =
      others.find(([key]) => isHeld(key)) ?? others.find(([key, text]) => isFormer(key) && stood.startsWith(text));
    if (found !== undefined) {
      this.#texts.set(file, found[1]);
      return;
    }
    this.fault('position', `${file} is read from byte ${byte}, and stood at ${this.#texts.get(file)?.length ?? 0}`);
  }

  /** What stands where a position says that its file is. */
  #standsAt(position = ''): string {
    return position === '' ? '' : (this.#files.streamOf((JSON.parse(position) as StoredPosition).path)?.text ?? '');
  }

  #notePositions({ positions }: Capture): void {
    for (const { key, value } of positions) {
      if (!isFilePosition(key)) continue;
      if (value === '') {
        this.#texts.delete(key);
        continue;
      }
      const { byte, copyOf } = JSON.parse(value) as StoredPosition;
      const known = this.#texts.get(key)?.length ?? 0;
      this.#copies.set(key, copyOf);
      if (byte < known) this.fault('position', `${key} goes back from ${known} to ${byte}`);
      else if (byte > known && !this.#repeats(key, byte, copyOf)) this.#inherit(key, byte, { positions });
    }
  }

  /** A file that repeats another one may take up to here what that one gave. */
  #repeats(file: string, byte: number, copyOf: string | null): boolean {
    const text = this.#texts.get(copyOf ?? '') ?? '';
    if (text.length < byte) return false;
    this.#texts.set(file, text.slice(0, byte));
    return true;
  }

  noteGap(gap: Gap): void {
    this.gaps.push(gap);
    const { fromMs, toMs } = gap;
    const missed = [...this.#writer.written].filter(
      ([line, atMs]) => !(this.#stored.get(line) ?? []).some((ms) => ms < toMs) && fromMs <= atMs && atMs <= toMs,
    );
    // A copy that a person made need not hold all that was written.
    const standing = this.#files.standing.filter((stream) => stream !== this.#files.streamOf(COPY));
    const ended = this.#endings.filter(({ atMs, stream, isRestore }) => {
      if (atMs < fromMs || atMs > toMs) return false;
      // Of what was never stored nobody can know what it held.
      const { restored } = this.#writer;
      const isRead = linesOf(stream.text).some((line) => this.#stored.has(line) && !restored.has(line));
      if (stream.seenAs === COPY || !isRead) return true;
      const isElsewhere = standing.some(({ text }) => text.startsWith(stream.text));
      // What was seen moved away at two looks was stored whole by the second, unless lines are missing.
      const isLive =
        stream.seenAs === LIVE || this.#wholeLooksMs.filter((ms) => ms > stream.movedMs && ms < atMs).length < 2;
      return (isRestore || !isElsewhere) && (isLive || this.#hasMissed(stream) || this.#isLast(stream));
    });
    // Lines that were not stored yet, and that only a number ties to what was seen.
    const isUntied = !this.#files.tellsBirth && missed.length > 0;
    // Where something was destroyed, a look of which a call failed need not have shown how.
    const isDestroyed = this.#endings.some(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    const looksMs = isDestroyed ? this.#wholeLooksMs : this.#looksOverMs;
    const what = `${gap.cause}, ${fromMs} to ${toMs}`;
    const isBehindCopy = this.#endings.some(
      ({ atMs, stream }) => atMs >= fromMs && atMs <= toMs && this.#isCutUnseen(stream, atMs, toMs),
    );
    if (ended.length === 0 && !isUntied && !isBehindCopy) this.#faultUnlessHasty('needless', what, toMs, looksMs);
    const firstMs = Math.min(toMs, ...this.#writer.written.values());
    if (fromMs < firstMs - LIFE_MS) this.fault('wide', `${what}, before all lines`);
    const overMs = this.#looksOverMs.find((ms) => ms > fromMs) ?? toMs;
    const own = ended.filter(({ stream }) => gap.cause.startsWith(`${stream.seenAs}:`));
    const inside = own.flatMap(({ stream }) =>
      linesOf(stream.text).filter((line) => {
        const atMs = this.#writer.written.get(line) ?? 0;
        return this.#stored.has(line) && atMs > overMs && atMs < toMs;
      }),
    );
    if (inside.length > 0 && missed.length === 0) {
      this.#faultUnlessHasty('wide', `${what}, though line ${inside.join(', ')} was stored`, toMs);
    }
  }

  /** The log was cut, and a look that could not open it found it longer than it had been. */
  #isCutUnseen({ seenAs, text }: Stream, cutMs: number, toMs: number): boolean {
    const isLonger = ({ atMs, liveBytes }: { readonly atMs: number; readonly liveBytes: number }) =>
      atMs > cutMs && atMs < toMs && liveBytes > text.length;
    return seenAs === LIVE && this.#blindLooks.some(isLonger);
  }

  /** When the look was over that could find a line destroyed. */
  #foundMs(line: number): number {
    const ended = this.#endings.findLast(({ stream }) => linesOf(stream.text).includes(line));
    return this.#looksOverMs.find((ms) => ms > (ended?.atMs ?? 0)) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Of a log that is only rotated, and of which lines were stored that stood in it at the look before, all that is destroyed
   * later is missed, whether a look saw it or not; until a gap has told that these went.
   */
  #isOwed(line: number, atMs: number): boolean {
    const at = this.#looksOverMs.findLastIndex((ms) => ms <= atMs);
    const { style, restoresMs } = this.#writer;
    const isRotated = style !== 'any' && !this.#writer.behindCopy.has(line);
    const live = this.#liveStored[at] ?? null;
    return isRotated && restoresMs.length === 0 && live !== null && !this.#isToldGone(live, atMs);
  }

  /** A gap that ended before this time tells that the file went. */
  #isToldGone(one: Stream, byMs: number): boolean {
    const endsMs = this.#endings.filter(({ stream }) => stream === one).map(({ atMs }) => atMs);
    return this.gaps.some(({ fromMs, toMs }) => toMs <= byMs && endsMs.some((ms) => ms >= fromMs && ms <= toMs));
  }

  /** Where numbers tell nothing: no file of which lines were stored came behind this one, so others may have come and gone. */
  #isLast(stream: Stream): boolean {
    const last = Math.max(...linesOf(stream.text));
    const isLater = (line: number) => line > last && this.#stored.has(line);
    return !this.#files.tellsBirth && !this.#files.standing.some(({ text }) => linesOf(text).some(isLater));
  }

  /** Two files held this line, and each went on otherwise. */
  #hasParted(line: number): boolean {
    const texts = this.#files.streams.map(({ text }) => text).filter((text) => linesOf(text).includes(line));
    return texts.some((one) => texts.some((other) => !one.startsWith(other) && !other.startsWith(one)));
  }

  #hasStored(stream: Stream): boolean {
    return linesOf(stream.text).some((line) => this.#stored.has(line));
  }

  #hasMissed(stream: Stream): boolean {
    return linesOf(stream.text).some((line) => !this.#stored.has(line));
  }

  /** At the end, when all has been quiet for a while. */
  judge(positions: ReadonlyMap<string, string>): void {
    const { unfinished, written } = this.#writer;
    const standing = new Set(this.#logs().flatMap(([, { text }]) => linesOf(text)));
    const matched = new Set(this.#files.names.filter(this.#isMatch).flatMap((name) => linesOf(this.#files.text(name))));
    const seen = new Set<number>();
    for (const { text, shownBytes, glimpsedBytes, isNumberGivenAgain } of this.#files.streams) {
      // Another file with its number looks the same, where nobody read it.
      const bytes = isNumberGivenAgain ? shownBytes : Math.max(shownBytes, glimpsedBytes);
      for (const line of linesOf(text.slice(0, bytes))) seen.add(line);
    }
    for (const [line, atMs] of written) {
      if (this.#stored.has(line) || line === unfinished || this.beside.has(line)) continue;
      const isTold = this.gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
      // A copy that was put back and holds all that was stored hides that the log went on elsewhere.
      if (standing.has(line) && !matched.has(line) && this.#writer.restoresMs.length > 0) continue;
      if (standing.has(line)) this.fault('lost', `line ${line}`);
      else if (!isTold && (seen.has(line) || this.#exposed.has(line) || this.#isOwed(line, atMs))) {
        const what = `line ${line}, written at ${atMs}${seen.has(line) ? ', seen' : ''}`;
        if (this.#isOwed(line, atMs)) this.fault('silent', what);
        else this.#faultUnlessHasty('silent', what, this.#foundMs(line));
      }
    }
    const followed = new Map<string, string>();
    for (const [key, value] of positions) {
      if (!isFilePosition(key)) continue;
      const { path, copyOf, goneMs } = JSON.parse(value) as StoredPosition;
      if (copyOf !== null || goneMs !== null) continue;
      const other = followed.get(path);
      if (other !== undefined) this.fault('position', `${key} and ${other} are both followed at ${path}`);
      followed.set(path, key);
    }
  }
}
