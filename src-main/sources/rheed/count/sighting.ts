// What a counter reader hands over: frames as they were seen, each with the time at which it was there. Everything that
// follows (counting, losses, rates) is arithmetic on these, the same for every kind of counter.

/** One look at a counter, or one frame found. */
export interface Sighting {
  /** The sequence, file or counter that it belongs to; a number means something within its run only. */
  readonly run: string;
  /** `each`: this is one frame. `value`: the counter stands here, whatever lies between. */
  readonly kind: 'each' | 'value';
  /** The counter's own number; null where frames carry none. */
  readonly number: number | null;
  /** When the frame was there, by this PC's steady clock, Unix milliseconds, right to within `uncertaintyMs` either way. */
  readonly atMs: number;
  readonly uncertaintyMs: number;
  /** The frame's own time (of its file, in its name, in its line), Unix milliseconds; null when it has none. */
  readonly ownMs: number | null;
  /** Frames that the counter itself says it lost in this run so far; absent where it does not say. */
  readonly lostSoFar?: number;
  /** What was there before anybody watched: it is where counting begins, and is not counted. */
  readonly isBaseline?: boolean;
  /** It was there before it could be seen: it is counted, and says nothing of the rate. */
  readonly isOld?: boolean;
}

/** Something about the counter that is more than a number. */
export interface CounterEvent {
  readonly kind:
    | 'began'
    | 'lost'
    | 'found-late'
    | 'went-back'
    | 'rolled-over'
    | 'new-run'
    | 'jumped'
    | 'stands-still'
    | 'goes-on'
    | 'copy'
    | 'passed-over'
    | 'unreadable'
    | 'index-differs';
  readonly atMs: number;
  /** In plain words, with the numbers. */
  readonly text: string;
}

/** A counter, whatever it is made of. One reader a file. */
export interface CounterReader {
  /**
   * Look once.
   *
   * @param nowMs - the time of the look by the steady clock.
   * @returns what is new, in the order in which it happened.
   * @throws AgentError when the counter cannot be reached at all.
   */
  look(nowMs: number): Promise<readonly Sighting[]>;
  /** What happened beside the frames since this was asked last. */
  takeEvents(): readonly CounterEvent[];
  /** What must be kept to go on after a restart; plain JSON. */
  state(): unknown;
  /** What it reads, in a few words. */
  describe(): string;
  close(): void;
}
