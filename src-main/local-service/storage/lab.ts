// Every tool that has sent, as the service knows it by the interface alone: a tool is what the names of its streams begin with.
// It does not know what a tool still holds; how far its newest point lay behind when it came says as much as was told.
//
// Bounds: the newest 2,000 streams, one a source, and of each the first channel's chunks of the last hour for its gaps.
import { guessStreamName } from '../../model/stream-name.ts';
import type { Engine } from './engine.ts';
import { all, type Script, type Value } from './script.ts';

const STREAMS_MAX = 2_000;
const SOURCES_MAX = 500;
/** Gaps are looked for in so much time before the newest point, seconds. */
const WINDOW_S = 3600;
/** A pause between two chunks is a gap when it is longer than so many usual steps, and than so many seconds. */
const GAP_STEPS = 10;
const GAP_S = 10;

/** A tool as a line of the page. */
interface LabTool {
  readonly tool: string;
  /** What sent its newest stream, as it calls itself: name and version; empty: it does not say. */
  readonly agent: string;
  /** Sources that have sent, and those of them whose stream takes data now. */
  readonly sources: number;
  readonly running: number;
  /** Unix ms of its newest point, and of the arrival of its newest chunk. */
  readonly lastPointMs: number;
  readonly lastChunkMs: number;
  /** How far its newest points lay behind when they came, of the source that was furthest, seconds. */
  readonly behindS: number;
  /** How far its newest points lay in the future when they came, of the source that was furthest, seconds: its clock is ahead. */
  readonly aheadS: number;
  /** Points of the newest stream of each source. */
  readonly points: number;
  /** Gaps within the hour before the newest point of each source, and the longest, seconds. */
  readonly gaps: number;
  readonly longestGapS: number;
}

export interface LabLook {
  readonly nowMs: number;
  /** The one that sent last comes first. */
  readonly tools: readonly LabTool[];
}

export interface Lab {
  /** Look at the tools of an organization. */
  look(organizationId: number, nowMs: number): Promise<LabLook>;
}

interface StreamRow {
  readonly entry_id: number;
  readonly raw_name: string;
  readonly pipeline_status: string;
  readonly last_chunk_ms: number;
  readonly agent: string | null;
}

interface ChannelRow {
  readonly entry_id: number;
  readonly first_id: number;
  readonly points: number;
  readonly end_time: number | null;
}

interface GapRow {
  readonly channel_id: number;
  readonly gaps: number;
  readonly longest: number;
}

const marks = (values: readonly Value[]) => values.map(() => '?').join();

/** The newest stream of each source, by tool. */
function* newestStreams(organizationId: number): Script<Map<string, StreamRow[]>> {
  const rows = yield* all<StreamRow>(
    `SELECT s.entry_id, e.raw_name, e.pipeline_status, s.last_chunk_ms, s.agent
     FROM entry e JOIN stream s ON s.entry_id = e.id
     WHERE e.organization_id = ? AND s.last_chunk_ms IS NOT NULL ORDER BY e.id DESC LIMIT ${STREAMS_MAX}`,
    organizationId,
  );
  const tools = new Map<string, StreamRow[]>();
  const sources = new Set<string>();
  for (const row of rows) {
    const { toolName, sourceId } = guessStreamName(row.raw_name) ?? { toolName: row.raw_name, sourceId: '' };
    const source = JSON.stringify([toolName, sourceId]);
    if (sources.has(source) || sources.size === SOURCES_MAX) continue;
    sources.add(source);
    tools.set(toolName, [...(tools.get(toolName) ?? []), row]);
  }
  return tools;
}

/** Points and newest time of each stream, and its first channel. */
function* channelsOf(entryIds: readonly number[]): Script<Map<number, ChannelRow>> {
  const rows = yield* all<ChannelRow>(
    `SELECT c.entry_id, min(c.id) AS first_id, CAST(sum(c.points) AS double precision) AS points,
       max((SELECT max(k.max_time) FROM chunk k WHERE k.channel_id = c.id)) AS end_time
     FROM channel c WHERE c.entry_id IN (${marks(entryIds)}) GROUP BY c.entry_id`,
    ...entryIds,
  );
  return new Map(rows.map((row) => [row.entry_id, row]));
}

/** Gaps of channels in the time before the newest point of each. */
function* gapsOf(channels: readonly ChannelRow[]): Script<Map<number, GapRow>> {
  const found = new Map<number, GapRow>();
  for (const { first_id, end_time } of channels) {
    const rows = yield* all<GapRow>(
      `SELECT count(*) AS gaps, coalesce(max(pause), 0) AS longest FROM (
         SELECT min_time - lag(max_time) OVER (ORDER BY min_time) AS pause,
           (max(max_time) OVER () - min(min_time) OVER ()) / nullif(sum(points) OVER () - 1, 0) AS step
         FROM chunk WHERE channel_id = ? AND max_time > ?) paused
       WHERE pause > ${GAP_S} AND pause > ${GAP_STEPS} * step`,
      first_id,
      (end_time ?? 0) - WINDOW_S,
    );
    if (rows[0]) found.set(first_id, rows[0]);
  }
  return found;
}

function* look(organizationId: number): Script<LabTool[]> {
  const tools = yield* newestStreams(organizationId);
  const ids = [...tools.values()].flat().map(({ entry_id }) => entry_id);
  if (ids.length === 0) return [];
  const channels = yield* channelsOf(ids);
  const gaps = yield* gapsOf([...channels.values()]);
  const lines = [...tools].map(([tool, streams]): LabTool => {
    const held = streams.map((stream) => ({ ...stream, ...channels.get(stream.entry_id) }));
    const most = (of: (row: (typeof held)[number]) => number) => held.reduce((max, row) => Math.max(max, of(row)), 0);
    const sum = (of: (row: (typeof held)[number]) => number) => held.reduce((total, row) => total + of(row), 0);
    return {
      tool,
      agent: streams[0]?.agent ?? '',
      sources: streams.length,
      running: streams.filter(({ pipeline_status }) => pipeline_status === 'running').length,
      lastPointMs: Math.round(most(({ end_time }) => (end_time ?? 0) * 1000)),
      lastChunkMs: most(({ last_chunk_ms }) => last_chunk_ms),
      behindS: most(({ last_chunk_ms, end_time }) => Math.round(last_chunk_ms / 1000 - (end_time ?? Infinity))),
      aheadS: most(({ last_chunk_ms, end_time }) => Math.round((end_time ?? -Infinity) - last_chunk_ms / 1000)),
      points: sum(({ points = 0 }) => points),
      gaps: sum(({ first_id = 0 }) => gaps.get(first_id)?.gaps ?? 0),
      longestGapS: most(({ first_id = 0 }) => gaps.get(first_id)?.longest ?? 0),
    };
  });
  return lines.sort((a, b) => b.lastChunkMs - a.lastChunkMs);
}

/** Open the look at the lab. */
export function createLab(engine: Engine): Lab {
  return {
    look: async (organizationId, nowMs) => ({ nowMs, tools: await engine.read(() => look(organizationId)) }),
  };
}
