// One file for support: settings, journal, versions and how things stand. No measured value and no key is in it: points,
// plots and log lines are never read for it, the key is cut out wherever it might stand, and in texts of others (between
// quotes) every digit is made a #.
import { chmod, mkdir } from 'node:fs/promises';
import { arch, cpus, freemem, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Value } from '../../../contract/table.ts';
import { writeFileAtomic } from '../../../platform/atomic-file.ts';
import { readSettingsText } from '../../../settings/read-settings.ts';
import type { HandlerParts } from '../handler-parts.ts';

/** Entries of the journal that go in. */
const EVENTS_MAX = 2000;
/** The address of a webhook: the part after its host may be its only secret. */
const WEBHOOK = /(\bwebhook['"]?\s*:\s*['"]?[a-z]+:\/\/[^\s/?'"]*)[^\s'"]+/gi;
/** A key is hidden from this length on, characters; none is shorter. */
const KEY_MIN = 6;

/**
 * Make the file for support in the data folder.
 *
 * @returns where it stands, its size, and its parts as text.
 * @throws those of the file system.
 */
export async function makeSupportBundle(parts: HandlerParts): Promise<Value<'support', 'makeBundle'>> {
  const madeMs = parts.clock.nowMs();
  const content = {
    made: new Date(madeMs).toISOString(),
    versions: { epistream: parts.version, node: process.version, ...pick(process.versions, ['electron', 'v8', 'uv']) },
    pc: {
      system: `${platform()} ${release()} ${arch()}`,
      processors: cpus().length,
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      upSeconds: Math.round(process.uptime()),
    },
    settings: await settingsText(parts),
    status: statusOf(parts),
    journal: await journalOf(parts),
  };
  const text = hideKey(JSON.stringify(content, null, 2), parts.key.forHiding);
  const folder = join(parts.dataFolder, 'support');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `epistream-support-${new Date(madeMs).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
  const path = join(folder, name);
  await writeFileAtomic(path, text);
  await chmod(path, 0o600);
  return {
    path,
    sizeBytes: Buffer.byteLength(text),
    parts: [
      'the settings, without the key',
      `the journal: ${content.journal.length} events, digits in quoted texts made #`,
      'versions of Epistream, Node and the system; memory and processors',
      'how things stand: states and counts of sources and streams, no values',
    ],
  };
}

/** The text of a settings file with no more of a webhook's address than its host. */
export const hideWebhook = (text: string) => text.replaceAll(WEBHOOK, '$1/(removed)');

async function settingsText({ settingsFile, isTrial }: HandlerParts): Promise<string> {
  if (isTrial()) return 'the trial';
  return readSettingsText(settingsFile).then(
    ({ text }) => hideWebhook(text),
    (thrown: unknown) => `cannot be read: ${(thrown as Error).message}`,
  );
}

function statusOf(parts: HandlerParts) {
  const { phase, isTrial, sentence, service, sources, streams, streamsTotal, store, gapsTotal } = parts.snapshot();
  return {
    phase,
    isTrial,
    sentence: cover(sentence.text),
    streamsTotal,
    gapsTotal,
    service: service && { ...service, message: cover(service.message) },
    store,
    sources: sources.map(({ notes, message, ...source }) => ({
      ...pick(source, ['id', 'kind', 'place', 'state', 'rowsRead', 'pointsRead', 'cellsRefused', 'lastCaptureMs']),
      message: cover(message),
      notes: notes.map((note) => ({ ...note, message: cover(note.message) })),
    })),
    streams: streams.map(({ message, ...stream }) => ({ ...stream, message: cover(message) })),
  };
}

async function journalOf(parts: HandlerParts) {
  const levels = ['info', 'warning', 'error'] as const;
  const question = { levels, about: null, text: '', fromMs: null, toMs: null, beforeId: null, limit: EVENTS_MAX };
  const events = (await parts.pipeline()?.store.findEvents(question)) ?? parts.snapshot().journal;
  return events.map(({ atMs, level, code, message, hint }) => ({
    at: new Date(atMs).toISOString(),
    level,
    code,
    message: cover(message),
    hint: cover(hint),
  }));
}

/** Texts of logs, instruments and services stand between quotes: what they measured must not go out with them. */
export function cover(text: string): string {
  return text.replaceAll(/"[^"]*"?/g, (quoted) => quoted.replaceAll(/\d/g, '#'));
}

function hideKey(text: string, key: string | null): string {
  if (key === null || key.length < KEY_MIN) return text;
  return text.replaceAll(JSON.stringify(key).slice(1, -1), '[hidden]');
}

function pick<T extends object>(from: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as Partial<T>;
}
