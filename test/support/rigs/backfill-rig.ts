// A log folder whose rows count up by one a second, a service that may hold some of them already, and a data folder that
// knows nothing of that: what a backfill is tried on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgent, startAgent } from '../processes/agent-process.ts';
import { tempFolder } from '../temp-folder.ts';
import type { Delivered } from './delivered.ts';
import { openServiceRig } from './service-rig.ts';

export const START_MS = Date.UTC(2026, 8, 1, 8);
const P = 1000;
const ENDED = '/tool-state/stream/{data_id}/finalize';

/** Whole numbers of spans `from, to, from, to, ...`. */
const numbers = (spans: readonly number[]) =>
  spans.flatMap((from, i) =>
    i % 2 === 1 ? [] : Array.from({ length: (spans[i + 1] as number) - from + 1 }, (_, n) => from + n),
  );

export const upTo = (last: number, from = 1) => numbers([from, last]);

/** Lines of rows: row n is n seconds after the start, and its values are n and n / 10. */
export const rowLines = (...spans: number[]) =>
  numbers(spans)
    .map((n) => `${new Date(START_MS + n * 1000).toISOString().slice(0, 19).replace('T', ' ')},${n},${n / 10}\n`)
    .join('');

/** Values of a channel, also where files side by side gave it their name besides. */
export const valuesOf = (delivered: Delivered, channel: string) =>
  [...delivered]
    .filter(([name]) => name === channel || name.startsWith(`${channel} (`))
    .flatMap(([, points]) => points.map(({ value }) => value))
    .sort((a, b) => a - b);

/**
 * Open a service and a place.
 *
 * @param source - further settings of the source.
 * @param options - whether what was delivered before is still open at the service.
 */
export async function openBackfillRig(source = '', { isOpen = false } = {}) {
  const rig = await openServiceRig({ bench: {} });
  const folder = tempFolder();
  const [logs, data, config] = [join(folder, 'logs'), join(folder, 'data'), join(folder, 'epistream.yaml')];
  mkdirSync(logs);
  const set = (own: string, tool = 'T') =>
    writeFileSync(
      config,
      `version: 1\nservice: { url: '${rig.service.url}' }\ntool: { name: ${tool}, time_zone: UTC }\nsources:\n  - { id: log, kind: log, path: '${logs}', match: '**/*.csv'${own === '' ? '' : `, ${own}`} }\n`,
    );
  set(['backfill: from-now', source].filter((text) => text !== '').join(', '));
  const env = { EPISTREAM_API_KEY: rig.service.apiKey };
  const args = (command: string, ...more: string[]) => [command, '--config', config, '--data', data, ...more];
  /** Make an entry that holds rows, as somebody's agent did before. */
  const deliver = async (name: string, ...spans: number[]): Promise<string> => {
    const { data_id } = await rig.client.initializeStream({ points_per_chunk: P, stream_name: name });
    const rows = numbers(spans);
    for (let at = 0; at < rows.length; at += P) {
      const some = rows.slice(at, at + P);
      const timestamps = some.map((n) => START_MS / 1000 + n);
      await rig.client.ingestChunk({
        data_id,
        chunk_index: at / P,
        channels: { T: { timestamps, values: some }, p: { timestamps, values: some.map((n) => n / 10) } },
      });
    }
    if (!isOpen) await rig.client.endStream({ path: ENDED, data_id });
    return data_id;
  };
  /**
   * Write a log whole.
   *
   * @returns its path.
   */
  const write = (name: string, ...spans: number[]): string => {
    const path = join(logs, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `time,T,p\n${rowLines(...spans)}`);
    return path;
  };
  return {
    rig,
    write,
    place: { logs, data, config, set, deliver },
    run: (command: string, ...more: string[]) => runAgent(args(command, ...more), env),
    start: (command: string, ...more: string[]) => startAgent(args(command, ...more), env),
    backfill: (...more: string[]) => runAgent(args('backfill', ...more), env),
  };
}
