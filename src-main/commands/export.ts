// `epistream export`: what was captured as a file that scientists' programs read, also while an agent runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CSV_HEADER } from '../delivery/receipt/csv.ts';
import { type Cursor, EXPORT_START, ExportAnswer, ReceiptAnswer } from '../delivery/receipt/questions.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { exportFor } from '../export/export-for.ts';
import { type Exported, type ExportJob, WORK_FOLDER } from '../export/job.ts';
import type { ExportChoice } from '../export/questions.ts';
import type { Resample } from '../export/resample.ts';
import type { WideCsvOptions } from '../export/wide-csv.ts';
import { AgentError } from '../model/agent-error.ts';
import { EXPORT_FORMATS, type ExportFormat, RESAMPLE_METHODS, type ResampleMethod } from '../model/export.ts';
import { formatCount } from '../model/format.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { writeNewFile } from '../platform/new-file.ts';
import { parseDuration } from '../settings/duration.ts';
import { type AskQueue, withQueue } from './shared/ask-queue.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption, usageError } from './shared/options.ts';
import { untilSignal } from './shared/until-signal.ts';
import { version } from './shared/version.ts';

const FORMATS = ['long', ...Object.keys(EXPORT_FORMATS)];

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  stream: { value: 'S', help: 'number, name, nonce or entry of a stream' },
  growth: { value: 'G', help: 'id or name of a growth: all its streams' },
  entry: { value: 'E', help: 'id of an entry of the service, also one that others made; an agent must run' },
  from: { value: 'TIME', help: 'all streams from this time on, such as 2026-11-01T06:00Z; with --to' },
  to: { value: 'TIME', help: 'up to this time, which is not included' },
  format: {
    value: 'FORM',
    help: `${FORMATS.join(', ')} (default: of a stream long, with one point a line; of all else csv)`,
  },
  channel: { value: 'NAME', isMany: true, help: 'only this channel, or SOURCE/NAME; may be given several times' },
  every: { value: 'TIME', help: 'csv: resampled, such as 1s or 250ms (default: as recorded)' },
  method: { value: 'HOW', help: `csv: how: ${Object.keys(RESAMPLE_METHODS).join(', ')} (default: mean)` },
  separator: { value: 'C', help: 'csv: between cells: comma, semicolon or tab' },
  decimal: { value: 'C', help: 'csv: point or comma; a comma takes semicolons between cells' },
  'only-here': {
    value: null,
    help: 'leave out what is no longer kept here, instead of asking the running agent to read it back',
  },
  out: { value: 'F', help: 'file to make; one that exists is not touched' },
} as const satisfies Record<string, Option>;

type Values = NonNullable<ReturnType<typeof readOptions<typeof OPTIONS>>>['values'];

const wrong = (message: string) => usageError('export', message);

/**
 * Export a growth, a stream or a time.
 *
 * @returns exit code 0; 1 when points are missing in the file because the disk altered them.
 * @throws `cli.usage`, `status.no-data`, `receipt.unknown-stream`, `export.nothing-found`, `file.exists`; those of agent, store
 *   and file system. No file is left behind then.
 */
export async function run(args: readonly string[]): Promise<number> {
  const summary = 'Write a growth, a stream or a time into a file, also while an agent runs.';
  const read = readOptions('export', summary, OPTIONS, args);
  if (!read) return EXIT.done;
  const { values } = read;
  const folder = resolve(values.data ?? defaultDataFolder());
  const format = formatOf(values);
  const [choice, csv] = [choiceOf(values), csvOf(values)];
  const file = resolve(requireOption('export', 'out', values.out));
  if (format === 'long') {
    if (!('stream' in choice)) throw wrong('--format long is of one --stream: say another --format.');
    return withQueue(folder, (ask) => exportLong(ask, choice.stream, file));
  }
  const channels = [...(values.channel ?? [])];
  const job = { choice, channels, csv, path: file, version: version(), format };
  const spoolFolder = await mkdtemp(join(tmpdir(), WORK_FOLDER));
  try {
    const asked = { ...job, spoolFolder: values['only-here'] ? null : spoolFolder };
    return await withQueue(folder, (ask) => exportAs(ask, asked));
  } finally {
    await rm(spoolFolder, { recursive: true, force: true });
  }
}

/** Options that say something of the cells and rows of csv, or of channels. */
const NOT_LONG = ['channel', 'every', 'method', 'separator', 'decimal'] as const;

/** The form asked for, or that of what else is said: csv where the long form could not do it. */
function formatOf(values: Values): 'long' | ExportFormat {
  const shaping = NOT_LONG.filter((name) => values[name] !== undefined);
  const { format = values.stream !== undefined && shaping.length === 0 ? 'long' : 'csv' } = values;
  if (!FORMATS.includes(format)) throw wrong(`--format ${format}: say ${FORMATS.join(', ')}.`);
  if (format === 'long' && shaping.length > 0) throw wrong(`--format long takes no --${shaping.join(', no --')}.`);
  return format as 'long' | ExportFormat;
}

async function exportAs(ask: AskQueue, job: ExportJob): Promise<number> {
  const stop = new AbortController();
  void untilSignal().then((name) => stop.abort(cancelled(name)));
  const onProgress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor(100 * done)} %${done >= 1 ? '\n' : ''}`);
  };
  const exported = await exportFor(job, { ask, signal: stop.signal, onProgress });
  const { title, channels, points } = exported;
  console.log(`${showControls(title)}: ${formatCount(points)} points of ${channels} channels written to ${job.path}`);
  return tellMissing(exported);
}

function cancelled(signal: string): AgentError {
  const message = `The export was ended by ${signal}; no file was made.`;
  return new AgentError({ code: 'export.cancelled', message, hint: 'Start it again when it suits.' });
}

function tellMissing({ pointsGone, damagedPoints }: Pick<Exported, 'pointsGone' | 'damagedPoints'>): number {
  if (pointsGone > 0) {
    console.log(`${formatCount(pointsGone)} points were acknowledged long ago and are kept on the service only.`);
  }
  if (damagedPoints === 0) return EXIT.done;
  console.error(
    `epistream: ${formatCount(damagedPoints)} points no longer match their checksum and are not in the file.\n` +
      '  hint: The disk altered them. Check it, and copy the data folder away.',
  );
  return EXIT.fault;
}

function choiceOf({ growth, stream, entry, from, to }: Values): ExportChoice {
  const isTime = from !== undefined || to !== undefined;
  if ([growth !== undefined, stream !== undefined, entry !== undefined, isTime].filter(Boolean).length !== 1) {
    throw wrong('say one of --growth, --stream, --entry, or --from with --to.');
  }
  if (growth !== undefined) return { growth };
  if (stream !== undefined) return { stream };
  if (entry !== undefined) return { entry };
  const span = { fromMs: timeOf('from', from), toMs: timeOf('to', to) };
  if (span.fromMs >= span.toMs) throw wrong('--from must lie before --to.');
  return span;
}

/** A time with its zone: a local one would be a guess, and twice the same in one night of the year. */
function timeOf(name: string, text: string | undefined): number {
  const timeMs = Date.parse(requireOption('export', name, text));
  if (/(Z|[+-]\d\d:?\d\d)$/.test(text ?? '') && Number.isFinite(timeMs)) return timeMs;
  throw wrong(`--${name} ${text}: write a time with its zone, such as 2026-11-01T06:00Z or 2026-11-01T06:00+01:00.`);
}

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
const DECIMALS = { point: '.', comma: ',' } as const;

function pick<T>(name: string, text: string, choices: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(choices, text) ? choices[text] : undefined;
  if (found === undefined) throw wrong(`--${name} ${text}: say ${Object.keys(choices).join(', ')}.`);
  return found;
}

function csvOf(values: Values): WideCsvOptions {
  const decimal = pick('decimal', values.decimal ?? 'point', DECIMALS);
  const separator = pick('separator', values.separator ?? (decimal === ',' ? 'semicolon' : 'comma'), SEPARATORS);
  if (decimal === ',' && separator === ',') throw wrong('a decimal comma needs --separator semicolon or tab.');
  return { decimal, separator, resample: resampleOf(values) };
}

function resampleOf({ every, method = 'mean' }: Values): Resample | null {
  const methods = Object.fromEntries(Object.keys(RESAMPLE_METHODS).map((name) => [name, name as ResampleMethod]));
  const how = pick('method', method, methods);
  if (every === undefined) return null;
  const duration = parseDuration(every);
  if (!duration.isValid) throw wrong(`--every: ${duration.message}. ${duration.hint}`);
  if (duration.value <= 0) throw wrong('--every must be above 0.');
  return { everyMs: duration.value, method: how };
}

/** One stream with one point a line, and what became of each. */
async function exportLong(ask: AskQueue, stream: string, file: string): Promise<number> {
  const before = ReceiptAnswer.parse(await ask({ ask: 'receipt', stream }));
  const { id, name } = before.stream;
  const sums = { points: 0, damaged: 0 };
  await writeNewFile(file, pagesOf(ask, id, sums));
  console.log(`${showControls(name)}: ${formatCount(sums.points)} points written to ${file}`);
  const pointsGone = before.counts.pointsStored - sums.points - sums.damaged;
  return tellMissing({ pointsGone, damagedPoints: sums.damaged });
}

async function* pagesOf(
  ask: AskQueue,
  streamId: number,
  sums: { points: number; damaged: number },
): AsyncGenerator<string> {
  yield CSV_HEADER;
  for (let cursor: Cursor | null = EXPORT_START; cursor !== null; ) {
    const page = ExportAnswer.parse(await ask({ ask: 'export', streamId, cursor }));
    sums.points += page.points;
    sums.damaged += page.damagedPoints;
    cursor = page.next;
    yield page.text;
  }
}
