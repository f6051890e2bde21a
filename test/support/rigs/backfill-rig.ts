// A log folder whose rows count up by one a second, a service that may hold some of them already, and a data folder that
// knows nothing of that: what a backfill is tried on. Commands run in the process of the test, twenty times as fast: after a
// start the agent waits 15 s before it looks up what a request of the run before may have brought.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { runHere } from '../command.ts';
import { fastClock } from '../fast-clock.ts';
import { tempFolder } from '../temp-folder.ts';
import { startHere } from './agent-here.ts';
import type { Delivered } from './delivered.ts';
import { openServiceRig } from './service-rig.ts';

export const START_MS = Date.UTC(2026, 8, 1, 8);
export const HEADER = 'time,T,p\n';
const SPEED = 20;
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

export interface Place {
  readonly logs: string;
  readonly data: string;
  readonly config: string;
  /** Write the settings, with further ones of the source. */
  set(source: string): void;
  /** The same settings and logs with another data folder, which knows nothing. */
  lost(): Place;
  /** Environment of a command. */
  readonly env: Record<string, string>;
  /** Arguments of a command. */
  args(command: string, ...more: string[]): string[];
  /** Run a command to its end. */
  run(command: string, ...more: string[]): ReturnType<typeof runHere>;
  /** Start the agent. */
  start(): ReturnType<typeof startHere>;
}

interface PlaceOptions {
  /** Address of the service. */
  readonly url?: string;
  readonly key?: string;
  /** Further settings of the source. */
  readonly source?: string;
}

/** Make a log folder and settings. */
export function makePlace({ url = 'embedded', key = '', source = '' }: PlaceOptions = {}): Place {
  const folder = tempFolder();
  const [logs, config] = [join(folder, 'logs'), join(folder, 'epistream.yaml')];
  const clock: Clock = fastClock(SPEED);
  const env: Record<string, string> = key === '' ? {} : { EPISTREAM_API_KEY: key };
  mkdirSync(logs);
  const set = (own: string) =>
    writeFileSync(
      config,
      `version: 1\nservice: { url: '${url}' }\ntool: { name: T, time_zone: UTC }\nsources:\n  - { id: log, kind: log, path: '${logs}', match: '**/*.csv'${own === '' ? '' : `, ${own}`} }\n`,
    );
  set(source);
  const at = (data: string): Place => {
    const args = (command: string, ...more: string[]) => [command, '--config', config, '--data', data, ...more];
    return {
      ...{ logs, data, config, env, set, args },
      lost: () => at(tempFolder('lost')),
      run: (command, ...more) => runHere(args(command, ...more), env, clock),
      start: () => startHere({ config, data, key, clock }),
    };
  };
  return at(join(folder, 'data'));
}

/** Write a log that was last changed long ago. */
export function writeOld(logs: string, name: string, text: string): void {
  mkdirSync(join(logs, name, '..'), { recursive: true });
  writeFileSync(join(logs, name), text);
  const at = new Date(START_MS + 3 * 86_400_000);
  utimesSync(join(logs, name), at, at);
}

/** Open a service and a place whose settings ask for old data. Takes further settings of the source. */
export async function openBackfillRig(source = '') {
  const rig = await openServiceRig({ bench: {} });
  const own = ['backfill: all', source].filter((text) => text !== '').join(', ');
  const { url, apiKey } = rig.service;
  const place = makePlace({ url, key: apiKey, source: own });
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
    await rig.client.endStream({ path: ENDED, data_id });
    return data_id;
  };
  /**
   * Write a log whole.
   *
   * @returns its path.
   */
  const write = (name: string, ...spans: number[]): string => {
    const path = join(place.logs, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${HEADER}${rowLines(...spans)}`);
    return path;
  };
  return { rig, write, place, deliver };
}
