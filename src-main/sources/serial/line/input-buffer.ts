// What has arrived and was not taken yet, with the time at which each piece of it came.
//
// Bounds and invariants: it holds at most the framer's `maxBytes` and the piece that goes beyond; then all of it is
// dropped, and the reader is told how much. A frame has the time at which its first byte came. A byte is given once or
// counted as dropped.
import type { Frame } from '../protocol/exchange.ts';
import type { Framer } from '../protocol/framer.ts';

export type Taken =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly skipped: number }
  | { readonly kind: 'broken'; readonly bytes: Uint8Array; readonly atMs: number; readonly reason: string }
  /** More than the framer's bound and no end in sight: all of it was dropped. */
  | { readonly kind: 'flood'; readonly dropped: number; readonly head: Uint8Array; readonly atMs: number };

export class InputBuffer {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Where each piece begins, and when it came. */
  #pieces: { from: number; readonly atMs: number }[] = [];

  get length(): number {
    return this.#length;
  }

  /** Its first bytes, at most 100. */
  get head(): Uint8Array {
    return this.#bytes.slice(0, Math.min(this.#length, 100));
  }

  /** Whether there is nothing in it but CR and LF. */
  get isLineEnd(): boolean {
    return this.#bytes.subarray(0, this.#length).every((byte) => byte === 0x0d || byte === 0x0a);
  }

  /** Add what came, with its time. The caller takes before it appends more: `take` is where the bound is kept. */
  append(bytes: Uint8Array, atMs: number): void {
    if (bytes.length === 0) return;
    if (this.#length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#pieces.push({ from: this.#length, atMs });
    this.#length += bytes.length;
  }

  /**
   * Take the next frame.
   *
   * @param isQuiet - whether nothing has come for a moment.
   * @returns null when more bytes are needed; `open` when that is a frame if nothing follows for a moment.
   */
  take(framer: Framer, isQuiet: true): Taken | null;
  take(framer: Framer, isQuiet: boolean): Taken | 'open' | null;
  take(framer: Framer, isQuiet: boolean): Taken | 'open' | null {
    if (this.#length === 0) return null;
    const cut = framer.cut(this.#bytes.subarray(0, this.#length));
    if (cut.kind === 'frame' && cut.isOpen && !isQuiet) return 'open';
    if (cut.kind === 'frame') {
      const frame = { bytes: this.#bytes.slice(cut.from, cut.to), atMs: this.#timeAt(cut.from) };
      this.#drop(cut.to);
      return { kind: 'frame', frame, skipped: cut.from };
    }
    if (cut.kind === 'broken') {
      const atMs = this.#timeAt(0);
      const bytes = this.#bytes.slice(0, cut.to);
      this.#drop(cut.to);
      return { kind: 'broken', bytes, atMs, reason: cut.reason };
    }
    if (this.#length <= framer.maxBytes) return null;
    const flood = {
      kind: 'flood',
      dropped: this.#length,
      head: this.head,
      atMs: this.#timeAt(0),
    } as const;
    this.clear();
    return flood;
  }

  /** Drop everything; gives how many bytes that were. */
  clear(): number {
    const dropped = this.#length;
    this.#length = 0;
    this.#pieces = [];
    // A flood leaves no large buffer behind.
    if (this.#bytes.length > 65_536) this.#bytes = new Uint8Array(1024);
    return dropped;
  }

  #timeAt(offset: number): number {
    return this.#pieces.findLast(({ from }) => from <= offset)?.atMs ?? 0;
  }

  #drop(count: number): void {
    const at = this.#pieces.findLastIndex(({ from }) => from <= count);
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#pieces = this.#length === 0 ? [] : this.#pieces.slice(Math.max(0, at));
    for (const piece of this.#pieces) piece.from = Math.max(0, piece.from - count);
  }
}
