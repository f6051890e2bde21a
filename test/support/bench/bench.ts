// The test bench at work: picks the fault for a request, keeps count, lets reads lag.
import type { Interposer } from '../../../src-main/local-service/interposer.ts';
import type { Engine } from '../../../src-main/local-service/storage/engine.ts';
import { first, run, type Script } from '../../../src-main/local-service/storage/script.ts';
import { serveWithFault } from './bench-fault.ts';
import { BenchAction, type BenchFault, type BenchReport, type BenchRule, BenchSettings } from './bench-settings.ts';

interface Asked {
  readonly data_id?: unknown;
  readonly channels?: Record<string, unknown>;
}

/** Seeded random numbers in [0, 1): mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a test tells its service: the faults again, counts from zero, or what only a test does to the data. */
export interface BenchMessage {
  readonly settings?: BenchSettings;
  readonly action?: BenchAction;
}

const keyOf = (channelId: number, chunkIndex: number) => `${channelId}/${chunkIndex}`;

function matches({ endpoint, dataId, channel }: BenchRule, name: string, request: Asked): boolean {
  if (endpoint !== undefined && endpoint !== name) return false;
  if (dataId !== undefined && request.data_id !== dataId) return false;
  return channel === undefined || (request.channels !== undefined && Object.hasOwn(request.channels, channel));
}

function* findEntry(dataId: string): Script<number> {
  return (yield* first<{ id: number }>('SELECT id FROM entry WHERE data_id = ?', dataId))?.id ?? 0;
}

function* deleteEntry(engine: Engine, dataId: string): Script<void> {
  const id = yield* findEntry(dataId);
  yield* run('DELETE FROM chunk WHERE channel_id IN (SELECT id FROM channel WHERE entry_id = ?)', id);
  const tables = ['channel', 'stream', 'rheed', 'result', 'file', 'entry_tag', 'entry_project'];
  for (const table of tables) yield* run(`DELETE FROM ${table} WHERE entry_id = ?`, id);
  yield* engine.unindex(id);
  yield* run('DELETE FROM entry WHERE id = ?', id);
}

function* dropChunks(dataId: string, fromIndex: number): Script<void> {
  const id = yield* findEntry(dataId);
  yield* run(
    'DELETE FROM chunk WHERE channel_id IN (SELECT id FROM channel WHERE entry_id = ?) AND chunk_index >= ?',
    id,
    fromIndex,
  );
  yield* run(
    'UPDATE channel SET points = (SELECT coalesce(sum(points), 0) FROM chunk WHERE channel_id = channel.id) WHERE entry_id = ?',
    id,
  );
}

/**
 * Make a bench.
 *
 * @param engine - the storage (for what tests do to it).
 * @param first - the first settings.
 * @throws those of the settings' schema.
 */
export function createInterposer(engine: Engine, first: unknown): Interposer {
  let settings: BenchSettings = {};
  let random = createRandom(1);
  let requests: Record<string, number> = {};
  let seen: number[] = [];
  let hits: number[] = [];
  const storedMs = new Map<string, number>();
  const nowMs = () => Date.now() + (settings.clockOffsetMs ?? 0);
  const visibleUntilMs = () => nowMs() - (settings.readLagMs ?? 0);

  const set = (given: unknown) => {
    settings = BenchSettings.parse(given);
    random = createRandom(settings.seed ?? 1);
    requests = {};
    seen = (settings.rules ?? []).map(() => 0);
    hits = (settings.rules ?? []).map(() => 0);
  };
  set(first);

  const isHit = ({ skip = 0, times = Number.POSITIVE_INFINITY, chance = 1 }: BenchRule, at: number) => {
    const before = seen[at] ?? 0;
    seen[at] = before + 1;
    if (before < skip || (hits[at] ?? 0) >= times || random() >= chance) return false;
    hits[at] = (hits[at] ?? 0) + 1;
    return true;
  };

  const pick = (endpoint: string, request: Asked): BenchFault | null => {
    requests[endpoint] = (requests[endpoint] ?? 0) + 1;
    const rules = settings.rules ?? [];
    const at = rules.findIndex((rule, index) => matches(rule, endpoint, request) && isHit(rule, index));
    return rules[at]?.fault ?? null;
  };
  const act = async (action: BenchAction): Promise<BenchReport> => {
    if (action.kind === 'delete-entry') await engine.write(() => deleteEntry(engine, action.dataId));
    if (action.kind === 'drop-chunks') await engine.write(() => dropChunks(action.dataId, action.fromIndex));
    return { requests: { ...requests }, hits: [...hits] };
  };

  return {
    get repeat() {
      return settings.repeat ?? 'replace';
    },
    get longChunk() {
      return settings.longChunk ?? 'refuse';
    },
    get shortChunk() {
      return settings.shortChunk ?? 'accept';
    },
    get bodyMaxBytes() {
      return settings.bodyMaxBytes ?? null;
    },
    onStored: (channelId, chunkIndex) => void storedMs.set(keyOf(channelId, chunkIndex), nowMs()),
    isVisible: (channelId, chunkIndex) => (storedMs.get(keyOf(channelId, chunkIndex)) ?? 0) <= visibleUntilMs(),
    visibleUntilMs,
    nowMs,
    serve(endpoint, request, answer, environment) {
      const fault = pick(endpoint, request);
      return fault ? serveWithFault(fault, request, answer, environment) : answer(request);
    },
    async receive(message) {
      const { settings: given, action = { kind: 'report' } } = message as BenchMessage;
      if (given) set(given);
      return act(BenchAction.parse(action));
    },
  };
}
