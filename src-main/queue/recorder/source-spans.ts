// Which bytes of which file gave a stream its readings, and the hash over exactly these bytes. A person who has the file
// proves it with the tools of any system: cut the file from the first byte to the last, hash that, compare.
//
// A span grows while the bytes come without a break. After a restart of the agent, or where a file was taken up at another
// place, a new span begins: the state of a hash is memory, and nothing is read twice to go on with it. A block whose rows
// belong to two streams (midnight) belongs, as bytes, to a span of each.
//
// Bound: one running hash a stream and file, until the stream ends; the bytes themselves are not kept.
import { createHash, type Hash } from 'node:crypto';
import type { SourceSpan } from '../../model/queue.ts';
import type { SourceBytes } from '../../model/readings.ts';

interface Span {
  readonly streamId: number;
  readonly file: string;
  readonly fromByte: number;
  readonly hash: Hash;
  place: string;
  toByte: number;
}

export class SourceSpans {
  /** The span that may still grow, by stream and then by file. */
  readonly #open = new Map<number, Map<string, Span>>();
  #changed = new Set<Span>();

  /**
   * Take bytes in. Takes the bytes, and the streams that got readings of them; when none did, the streams whose span they
   * go on take them, else `fallback` (null: nobody).
   */
  add(bytes: SourceBytes, streamIds: Iterable<number>, fallback: number | null): void {
    let ids = [...streamIds];
    if (ids.length === 0) ids = this.#continued(bytes);
    if (ids.length === 0 && fallback !== null) ids = [fallback];
    for (const id of ids) this.#addTo(id, bytes);
  }

  /** The stream takes no more readings. What changed of it still goes into the next commit. */
  close(streamId: number): void {
    this.#open.delete(streamId);
  }

  /** Spans that are new or have grown since the last call, as they stand now. */
  take(): SourceSpan[] {
    const spans = [...this.#changed].map(({ hash, ...span }) => ({ ...span, sha256: hash.copy().digest('hex') }));
    this.#changed = new Set();
    return spans;
  }

  #continued({ file, fromByte }: SourceBytes): number[] {
    return [...this.#open].filter(([, files]) => files.get(file)?.toByte === fromByte).map(([id]) => id);
  }

  #addTo(streamId: number, { file, place, fromByte, bytes }: SourceBytes): void {
    const files = this.#open.get(streamId) ?? new Map<string, Span>();
    this.#open.set(streamId, files);
    let span = files.get(file);
    if (!span || span.toByte !== fromByte) {
      span = { streamId, file, fromByte, hash: createHash('sha256'), place, toByte: fromByte };
      files.set(file, span);
    }
    span.hash.update(bytes);
    span.toByte += bytes.length;
    span.place = place;
    this.#changed.add(span);
  }
}
