// Puts what blocks of files gave into the batch that is handed over: names, declarations, positions, remarks.
//
// Invariants: a position is in the batch of the readings up to it; a channel is declared before its first reading, and again
// when its unit changes. Bound: 100 refusals in full a batch, the rest counted; the size of a batch is folder-run.ts's to
// bound.
import { formatBytes } from '../../../model/format.ts';
import type { SourceSink } from '../../source.ts';
import { takePosition } from '../files/file-changes.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import type { StoppedChannels } from '../notes/stopped-channels.ts';
import { type Layout, placeOf } from '../parse/layout.ts';
import type { Batch } from './capture-batch.ts';
import type { BlockRead } from './file-reader.ts';
import type { Openings } from './openings.ts';

const REFUSALS_MAX = 100;

export class Gatherer {
  readonly #sink: SourceSink;
  readonly #openings: Openings;
  readonly #notes: LogNotes;
  readonly #stopped: StoppedChannels;
  readonly #declared = new Map<string, string>();

  constructor(sink: SourceSink, openings: Openings, notes: LogNotes, stopped: StoppedChannels) {
    this.#sink = sink;
    this.#openings = openings;
    this.#notes = notes;
    this.#stopped = stopped;
  }

  /** Add what a block of a file gave, with the position that it moves. */
  add(batch: Batch, file: WatchedFile, { frame, hasGrown, taken, parsed, layout }: BlockRead): void {
    // The file as it was where these lines stand.
    const then = { ...file, layout, kinds: parsed.kinds };
    if (parsed.timesMs.length > 0) {
      const channels = this.#declare(then, layout, parsed.columns);
      batch.blocks.push({ channels, timesMs: parsed.timesMs, values: parsed.values });
    }
    const block = parsed.timesMs.length > 0 ? batch.blocks.length - 1 : null;
    const rows = block === null ? null : (batch.blocks[block] ?? null);
    // Of old data the end of a file is enough to learn its rhythm from.
    const isLive = batch.origin === 'live';
    if (isLive || file.byte >= (file.seen?.sizeBytes ?? 0))
      this.#stopped.heard(this.#openings.seriesOf(file), rows, isLive);
    this.#openings.noteSpan(file, parsed.timesMs);
    batch.sourceBytes.push({ file: file.key, place: file.path, ...taken, bytes: taken.bytes.slice(), block });
    const named = parsed.refusals.map((refusal) => ({
      ...refusal,
      channel: refusal.channel === '' ? '' : this.#openings.channelOf(file, refusal.channel),
    }));
    batch.refusals.push(...named.slice(0, REFUSALS_MAX - batch.refusals.length));
    for (const mark of parsed.marks) batch.marks.push(mark);
    batch.refusedCount += parsed.refusedCount;
    batch.rowsRead += parsed.rowsRead;
    batch.bytes += frame.takenBytes;
    batch.files.add(file.path);
    if (frame.droppedBytes > 0) {
      this.#notes.add('log.line-too-long', file.path, formatBytes(frame.droppedBytes));
      if (!frame.isDropping) batch.refusedCount += 1;
    }
    if (hasGrown) {
      this.#notes.add('log.line-grown', file.path);
      batch.refusedCount += 1;
    }
    this.#notes.parsed(then, parsed);
    if (file.problem !== null) this.#notes.undecided(file, { ...file.problem, isWaiting: false });
    for (const position of this.#openings.unstored(file)) batch.positions.set(position.key, position);
    batch.positions.set(file.key, takePosition(file));
  }

  /** Declare the channels of a block that are not declared yet, or whose unit changed. */
  #declare(file: WatchedFile, layout: Layout, columns: readonly number[]): string[] {
    this.#openings.giveNames([file]);
    const fresh: { name: string; quantity: string; unit: string; origin: string; expectedIntervalMs: null }[] = [];
    const channels = columns.map((column) => {
      const { name, unit } = layout.columns[column] ?? { name: '', unit: '' };
      const channel = this.#openings.channelOf(file, name);
      if (this.#declared.get(channel) !== unit) {
        this.#declared.set(channel, unit);
        const origin = `${file.path}, ${placeOf(layout, column)}`;
        fresh.push({ name: channel, quantity: '', unit, origin, expectedIntervalMs: null });
      }
      return channel;
    });
    if (fresh.length > 0) this.#sink.declare(fresh);
    return channels;
  }
}
