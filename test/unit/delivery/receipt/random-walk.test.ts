// A walk at random through everything that can happen to the queue. After each step the rows of the queue are counted one
// by one, and tally, snapshot, receipt and export must say the same as they do.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import { CSV_HEADER } from '../../../../src-main/delivery/receipt/csv.ts';
import { answerReceipts, EXPORT_START, ExportAnswer } from '../../../../src-main/delivery/receipt/questions.ts';
import { makeReceipt } from '../../../../src-main/delivery/receipt/receipt.ts';
import type { StreamTally } from '../../../../src-main/model/queue.ts';
import type { StoredBlock } from '../../../../src-main/model/receipt.ts';
import type { Recorder } from '../../../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../../../src-main/queue/store/queue.ts';
import { facts } from '../../../support/facts.ts';
import { openRecorder } from '../../../support/rigs/small-queue.ts';
import { walks } from '../../../support/run/effort.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const NAMES = ['Ga', 'In', '=P'];
const PAGE_POINTS = 5;

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('capture' as const),
      rows: fc.integer({ min: 1, max: 9 }),
      isThere: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 27, maxLength: 27 }),
      refused: fc.nat({ max: 2 }),
      stepMs: fc.constantFrom(100, DAY_MS / 10),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), of: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('acknowledgePart' as const), of: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('split' as const, 'refuse' as const), of: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('close' as const, 'restart' as const, 'sweep' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class Walk {
  readonly path = join(tempFolder('walk'), 'q.db');
  queue: Queue = openQueue(this.path);
  recorder!: Recorder;
  nowMs = START_MS;
  captured = 0;
  rowsRead = 0;
  refused = 0;
  #nonce = 0;
  /** The log that the captures come from. */
  log = '';
  /** A slow export: a page a step, while everything else goes on. */
  #slow: { streamId: number; after: number; values: number[]; mustHave: number[] } | null = null;

  async open(): Promise<void> {
    const clock = { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs - START_MS, sleep: async () => {} };
    const rule = { pointsPerChunk: 3, rollover: 'daily', closeAfterQuietMs: null } as const;
    this.recorder = await openRecorder(this.queue, clock, rule, { makeNonce: () => `n${this.#nonce++}` });
  }

  get streams(): readonly StreamTally[] {
    return this.queue.tally(1000).streams;
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'capture') return this.#capture(step);
    if (step.do === 'close') return this.recorder.closeStreams();
    if (step.do === 'sweep') {
      // What is let go while an export is under way is missing there, and that is said.
      this.#slow = null;
      this.nowMs += 8 * DAY_MS;
      return void this.queue.dropAcknowledged();
    }
    if (step.do === 'restart') {
      this.queue.close();
      this.queue = openQueue(this.path);
      return this.open();
    }
    if (!('of' in step)) return;
    const waiting = this.streams.filter(({ chunksWaiting }) => chunksWaiting > 0);
    const stream = waiting[step.of % Math.max(1, waiting.length)];
    const chunk = stream && this.queue.nextChunk(stream.id);
    if (!chunk) return;
    if (step.do === 'acknowledge') this.queue.acknowledge(chunk.id, this.nowMs);
    else if (step.do === 'acknowledgePart') {
      this.queue.acknowledgePart(chunk.id, [chunk.channels[0]?.id ?? 0], this.nowMs);
    } else if (step.do === 'refuse' && chunk.channels.length === 1) {
      this.queue.refuse(chunk.id, this.nowMs, '=because "so"');
    } else this.queue.split(chunk.id);
  }

  async #capture({ rows, isThere, refused, stepMs }: Extract<Step, { do: 'capture' }>): Promise<void> {
    const timesMs = Float64Array.from({ length: rows }, (_, i) => this.nowMs + i * stepMs);
    this.nowMs += rows * stepMs;
    const values = Float64Array.from({ length: rows * NAMES.length }, (_, at) =>
      isThere[at] === 0 ? Number.NaN : ++this.captured,
    );
    const lines = `${Array.from(values).join()}\n`;
    const fromByte = this.log.length;
    this.log += lines;
    this.rowsRead += rows;
    this.refused += refused;
    const cell = { place: 'a.csv', line: 1, byte: fromByte, channel: 'Ga', text: 'x', reason: 'not a number' };
    await this.recorder.capture('log', {
      blocks: [{ channels: NAMES, timesMs, values }],
      positions: [{ key: 'a', value: String(this.log.length) }],
      rowsRead: rows,
      refusals: Array.from({ length: refused }, () => cell),
      refusedCount: refused,
      origin: 'live',
      sourceBytes: [{ file: 'a', place: 'a.csv', fromByte, bytes: new TextEncoder().encode(lines), block: 0 }],
    });
  }

  blocks(streamId: number): StoredBlock[] {
    const blocks: StoredBlock[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: ReturnType<Queue['storedPage']> = this.queue.storedPage(streamId, after, PAGE_POINTS);
      expect(page.damaged).toEqual([]);
      blocks.push(...page.blocks);
      after = page.next;
    }
    return blocks;
  }

  /** Every point that was stored when the export began is in it once, whatever was sealed, split or settled meanwhile. */
  exportOnePage(): void {
    const newest = this.streams[0];
    if (!newest) return;
    const mustHave = () => this.blocks(newest.id).flatMap(({ values }) => [...values]);
    this.#slow ??= { streamId: newest.id, after: 0, values: [], mustHave: mustHave() };
    const { blocks, next } = this.queue.storedPage(this.#slow.streamId, this.#slow.after, PAGE_POINTS);
    this.#slow.values.push(...blocks.flatMap(({ values }) => [...values]));
    if (next !== null) {
      this.#slow.after = next;
      return;
    }
    const seen = new Set(this.#slow.values);
    expect(seen.size).toBe(this.#slow.values.length);
    expect(this.#slow.mustHave.filter((value) => !seen.has(value))).toEqual([]);
    this.#slow = null;
  }

  async check(): Promise<void> {
    const { queue } = this;
    const tally = queue.tally(1000);
    const snapshot = buildSnapshot({ ...facts(), tally }, 1);
    const values: number[] = [];
    const sums = { rowsRead: 0, cellsRefused: 0, waiting: 0, kept: 0, acknowledged: 0 };
    for (const [i, stream] of tally.streams.entries()) {
      const blocks = this.blocks(stream.id);
      const receipt = makeReceipt(queue.streamFacts(stream.id) as NonNullable<ReturnType<Queue['streamFacts']>>, 0, '');
      const view = snapshot.streams[i];
      const rows = countRows(blocks);
      for (const block of blocks) values.push(...block.values);

      // The receipt against the rows, channel by channel; acknowledged rows are deleted in time, their count stays.
      expect(receipt.disagreements).toEqual([]);
      const ids = queue.streamFacts(stream.id)?.channels.map(({ id }) => id) ?? [];
      for (const [c, { acknowledged, refused, waiting, open }] of receipt.channels.entries()) {
        const own = rows.get(ids[c] as number) ?? { acknowledged: 0, refused: 0, waiting: 0, open: 0 };
        expect({ refused, waiting, open }).toEqual({ refused: own.refused, waiting: own.waiting, open: own.open });
        expect(acknowledged).toBeGreaterThanOrEqual(own.acknowledged);
        sums.kept += own.acknowledged;
      }
      // Receipt, tally and snapshot against each other.
      const { counts } = receipt;
      const numbers = [counts.pointsStored, counts.pointsAcknowledged, counts.pointsRefused];
      expect([stream.pointsStored, stream.pointsAcknowledged, stream.pointsRefused]).toEqual(numbers);
      expect([view?.pointsStored, view?.pointsAcknowledged, view?.pointsRefused]).toEqual(numbers);
      expect([view?.id, view?.state]).toEqual([stream.id, receipt.stream.state]);
      expect(receipt.stream.state === 'delivered').toBe(stream.isDelivered);
      expect([counts.rowsRead, counts.cellsRefused]).toEqual([stream.rowsRead, stream.cellsRefused]);
      expect(receipt.refusedCells.length).toBe(counts.cellsRefused);
      if (stream.isDelivered) expect(counts.pointsWaiting).toBe(0);
      // A row whose cells are all empty has a stamp and no point, so the span may be wider than that of the points.
      const times = blocks.flatMap(({ timesMs }) => [...timesMs]);
      for (const timeMs of times) {
        expect(timeMs).toBeGreaterThanOrEqual(receipt.stream.firstReadingMs ?? Number.NaN);
        expect(timeMs).toBeLessThanOrEqual(receipt.stream.lastReadingMs ?? Number.NaN);
      }
      for (const { fromByte, toByte, sha256 } of receipt.source) {
        expect(sha256).toBe(createHash('sha256').update(this.log.slice(fromByte, toByte)).digest('hex'));
      }
      await this.#checkExport(stream.id, blocks);
      sums.rowsRead += counts.rowsRead;
      sums.cellsRefused += counts.cellsRefused;
      sums.waiting += counts.pointsWaiting;
      sums.acknowledged += counts.pointsAcknowledged;
    }
    expect([tally.waitingPoints, snapshot.store?.waitingPoints]).toEqual([sums.waiting, sums.waiting]);
    // Against the truth: every value that was captured is in exactly one row, or was acknowledged and let go.
    expect(new Set(values).size).toBe(values.length);
    expect(values.length + (sums.acknowledged - sums.kept)).toBe(this.captured);
    expect([sums.rowsRead, sums.cellsRefused]).toEqual([this.rowsRead, this.refused]);
  }

  async #checkExport(streamId: number, blocks: readonly StoredBlock[]): Promise<void> {
    const { queue } = this;
    const store = {
      findStreams: async (text: string) => queue.findStreams(text),
      listStreams: async (before: number, limit: number) => queue.listStreams(before, limit),
      streamFacts: async (id: number) => queue.streamFacts(id),
      storedPage: async (id: number, after: number) => queue.storedPage(id, after, PAGE_POINTS),
    };
    let text = CSV_HEADER;
    for (let cursor: typeof EXPORT_START | null = EXPORT_START; cursor !== null; ) {
      const question = { ask: 'export', streamId, cursor } as const;
      const page = ExportAnswer.parse(await answerReceipts(store, question, { atMs: 0, version: '' }));
      text += page.text;
      cursor = page.next;
    }
    const cells = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','));
    const written = cells.map(([timeMs, , , , value, state]) => `${timeMs} ${value} ${state}`);
    const there = blocks.flatMap(({ state, rows, timesMs, values }) =>
      Array.from(values, (value, at) => `${timesMs[at % rows]} ${value} ${state}`),
    );
    expect(written.toSorted()).toEqual(there.toSorted());
  }
}

function countRows(blocks: readonly StoredBlock[]) {
  const counts = new Map<number, Record<StoredBlock['state'], number>>();
  for (const { state, channelIds, rows } of blocks) {
    for (const id of channelIds) {
      const own = counts.get(id) ?? { acknowledged: 0, refused: 0, waiting: 0, open: 0 };
      own[state] += rows;
      counts.set(id, own);
    }
  }
  return counts;
}

test('tally, snapshot, receipt and export agree with the rows of the queue after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const walk = new Walk();
      await walk.open();
      try {
        for (const each of steps) {
          await walk.take(each);
          await walk.check();
          walk.exportOnePage();
        }
      } finally {
        walk.queue.close();
      }
    }),
    walks(6),
  );
});
