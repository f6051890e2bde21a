// Finds points that the service holds and that this queue does not know it has sent. Another queue of this tool sent them, or
// a later state of this queue that was lost, or this queue before it was damaged. The names of entries say which entries to
// ask about; only their series say which points they hold.
//
// Bounds: the catalogue is read once a run, since this queue makes all entries that come later. Memory holds the series of
// those entries alone that overlap the stream in question.

import { formatDuration } from '../../model/format.ts';
import type { KnownEntries, UploadStream } from '../../model/queue.ts';
import type { StoredPage } from '../../model/receipt.ts';
import { EntryPoints } from './entry-points.ts';
import { ForeignEntries, type ForeignOptions } from './foreign-entries.ts';
import { type AskedEntry, HeldEntries } from './held-entries.ts';

/** Points of a page of what this queue knows to be sent. */
const PAGE_POINTS = 100_000;
/** Source of streams whose name was lost to damage: they may belong to any source. */
const RECOVERED = 'recovered';

export interface FormerOptions extends Pick<ForeignOptions, 'service' | 'toolName' | 'timeZone'> {
  readonly store: {
    knownEntries(streamId: number): Promise<KnownEntries>;
    storedPage(streamId: number, after: number, maxPoints: number): Promise<StoredPage>;
    listChannelNames(streamId: number): Promise<ReadonlyMap<number, string>>;
  };
  /** Only entries of this service are compared. */
  readonly serviceAddress: string;
  readonly monotonicMs: () => number;
  /** Longest that a request of a former agent can still be on its way, milliseconds. */
  readonly holdOffMs: number;
}

interface Asked extends AskedEntry {
  /** Stream of this queue; null: another one's. */
  readonly streamId: number | null;
}

export class FormerEntries {
  readonly #options: FormerOptions;
  readonly #startedMs: number;
  #listed: Promise<ForeignEntries> | null = null;
  #held: HeldEntries | null = null;

  constructor(options: FormerOptions) {
    this.#options = options;
    this.#startedMs = options.monotonicMs();
  }

  /** Which entries may hold points of a stream; see `FormerEntries` of the uploader. */
  async find(stream: UploadStream, signal: AbortSignal) {
    const { store, monotonicMs, holdOffMs } = this.#options;
    const catalogue = await this.#list(signal);
    const known = await store.knownEntries(stream.id);
    if (known.before.length > 0) {
      return { kind: 'later' as const, why: `stream ${known.before.join(', ')} is delivered first` };
    }
    const asked = candidates(stream, catalogue, known, this.#options.serviceAddress);
    if (asked.length === 0) return { kind: 'none' as const };
    const isEarly = monotonicMs() - this.#startedMs < holdOffMs;
    if (isEarly && asked.some(({ isOpen }) => isOpen)) {
      const why = `a request of the run before may still be on its way, for ${formatDuration(holdOffMs - (monotonicMs() - this.#startedMs))} at most`;
      return { kind: 'later' as const, why };
    }
    this.#held ??= new HeldEntries(catalogue);
    const held = this.#held;
    if (stream.dataId !== null && !stream.mayHoldMore) {
      // What is still to be read belongs to it as well, so its span has no end. An entry without points holds nothing.
      const span = { firstMs: stream.firstMs ?? Number.NEGATIVE_INFINITY, lastMs: Number.POSITIVE_INFINITY };
      if ((await held.overlapping(asked, span)).length === 0) return { kind: 'none' as const };
    }
    return { kind: 'some' as const, read: (now: UploadStream) => this.#read(now, asked, held) };
  }

  /** List the entries once; list them again only after a failure. */
  #list(signal: AbortSignal): Promise<ForeignEntries> {
    this.#listed ??= ForeignEntries.read({ ...this.#options, signal, sourceIds: null, isOwn: () => false }).catch(
      (thrown) => {
        this.#listed = null;
        throw thrown;
      },
    );
    return this.#listed;
  }

  async #read(stream: UploadStream, asked: readonly Asked[], held: HeldEntries): Promise<EntryPoints> {
    const { firstMs, lastMs } = stream;
    const span = { firstMs: firstMs ?? Number.NEGATIVE_INFINITY, lastMs: lastMs ?? Number.POSITIVE_INFINITY };
    const entries = await held.overlapping(asked, span);
    const points = new EntryPoints(entries);
    const own = asked.find(({ streamId }) => streamId === stream.id);
    // What is known to be sent is not what waits.
    if (own !== undefined)
      await this.#takeKnown(stream.id, new EntryPoints(entries.filter(({ name }) => name === own.name)));
    return points;
  }

  async #takeKnown(streamId: number, points: EntryPoints): Promise<void> {
    const { store } = this.#options;
    const names = await store.listChannelNames(streamId);
    for (let after: number | null = 0; after !== null; ) {
      const page: StoredPage = await store.storedPage(streamId, after, PAGE_POINTS);
      for (const { state, channelIds, rows, timesMs, values } of page.blocks) {
        if (state !== 'acknowledged') continue;
        for (const [c, id] of channelIds.entries()) {
          for (let row = 0; row < rows; row++) {
            points.take(names.get(id) ?? '', timesMs[row] as number, values[c * rows + row] as number);
          }
        }
      }
      after = page.next;
    }
  }
}

/** Entries of the source of a stream, as far as they can hold what this queue does not know to be sent. */
function candidates(
  { sourceId, isFromLive, dataId: entry }: UploadStream,
  catalogue: ForeignEntries,
  { dataIds, doubtful, isInDoubt }: KnownEntries,
  serviceAddress: string,
): Asked[] {
  const own = new Set(dataIds);
  const ofTool = catalogue.ofTool;
  const ofSource = sourceId === RECOVERED ? ofTool : catalogue.ofSource(sourceId);
  const born = (isIt: (dataId: string) => boolean) =>
    ofTool.flatMap(({ dataId, madeMs }) => (isIt(dataId) && madeMs !== null ? [madeMs] : []));
  // What was written while this queue stood was sent while it stood, by a later state of it.
  const sinceMs = isFromLive && !isInDoubt ? Math.min(...born((id) => own.has(id))) : Number.NEGATIVE_INFINITY;
  const [entryMs = Number.POSITIVE_INFINITY] = born((id) => id === entry);
  const isLater = (madeMs: number | null) =>
    // Into a stream that goes on only a later state of this queue can have written since it was begun.
    entry !== null
      ? madeMs !== null && madeMs > entryMs
      : madeMs === null || sinceMs === Number.POSITIVE_INFINITY || madeMs >= sinceMs;
  const foreign = ofSource.filter(({ dataId, madeMs }) => !own.has(dataId) && isLater(madeMs));
  return [
    ...foreign.map(({ dataId, name, isOpen }) => ({ dataId, name, isOpen, streamId: null })),
    ...doubtful
      .filter(({ service }) => service === serviceAddress)
      .map(({ dataId, name, streamId }) => ({ dataId, name, isOpen: true, streamId })),
  ];
}
