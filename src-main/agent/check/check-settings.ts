// What of the settings works on this PC, without sending or recording anything: for `epistream check`.

import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, opendir, readFile } from 'node:fs/promises';
import type { Dialect } from '../../model/dialect.ts';
import { formatBytes, formatCount } from '../../model/format.ts';
import { isPlausibleTime } from '../../model/plausible-clock.ts';
import type {
  LogSourceSettings,
  RheedSourceSettings,
  SerialSourceSettings,
  Settings,
} from '../../settings/settings.ts';
import { checkAwake } from './check-awake.ts';
import { checkDataFolder } from './check-data-folder.ts';
import type { Finding } from './finding.ts';

/** What reading a log folder would give; the log source's own preview says it. */
export interface FolderLook {
  readonly files: number;
  /** Size of all of them, and their first and last modification time, Unix ms; 0 when there are none. */
  readonly bytes: number;
  readonly oldestMs: number;
  readonly newestMs: number;
  readonly file: string | null;
  readonly channels: readonly string[];
  readonly leftOut: readonly string[];
  /** Why the newest file cannot be read; empty when it can. */
  readonly problem: string;
  readonly hint: string;
  /** How far that file was looked through; `stop`: the line at which reading waits for a person. */
  readonly looked?: {
    readonly lines: number;
    readonly isWhole: boolean;
    readonly stop: { readonly line: number; readonly text: string } | null;
    readonly refused: number;
    readonly cellsRefused: number;
    readonly why: readonly { readonly reason: string; readonly text: string }[];
  };
}

export interface CheckOptions {
  readonly dataFolder: string;
  /** Wall clock, Unix milliseconds. */
  readonly nowMs: number;
  /** Look into a log folder as its source would. */
  readonly look: (options: {
    readonly folder: string;
    readonly match: string;
    readonly timeZone: string;
    readonly timeFormat: string;
    readonly dialect: string | Dialect;
  }) => Promise<FolderLook>;
  /** Look whether a serial source could be opened: its profile, its port. */
  readonly lookAtLine: (source: SerialSourceSettings) => Promise<Omit<Finding, 'subject'>>;
  /** Look at a frame counter for some seconds. */
  readonly lookAtCounter: (source: RheedSourceSettings) => Promise<Finding[]>;
}

/** Names shown of a list that may be long. */
const NAMES_SHOWN = 10;
/** Characters shown of a text that is refused. */
const TEXT_SHOWN = 60;

/** Their number and their names, so that a person sees whether the right columns were found. */
function tellChannels(names: readonly string[]): string {
  const rest = names.length > NAMES_SHOWN ? ` and ${formatCount(names.length - NAMES_SHOWN)} more` : '';
  const shown = names.length === 0 ? '' : `: ${names.slice(0, NAMES_SHOWN).join(', ')}${rest}`;
  return `${formatCount(names.length)} ${names.length === 1 ? 'channel' : 'channels'}${shown}`;
}

/** Minutes by which a zone is ahead of UTC at a moment. */
function offsetMinutes(timeZone: string, nowMs: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

/**
 * Check the clock of this PC and the tool's zone. Takes wall time, the tool's zone, and this PC's.
 *
 * @returns an error for a clock that cannot be right, a warning for a zone in which it is another hour than here.
 */
export function checkClock(nowMs: number, toolZone: string, ownZone: string): Finding[] {
  const subject = 'clock';
  const shown = Number.isFinite(nowMs) ? new Date(nowMs).toISOString() : String(nowMs);
  if (!isPlausibleTime(nowMs)) {
    const hint = 'Set date and time of this PC, best by a time server. Stamps would be wrong and https would fail.';
    return [{ level: 'error', subject, message: `The clock of this PC shows ${shown}, which cannot be right.`, hint }];
  }
  const findings: Finding[] = [{ level: 'ok', subject, message: `The clock of this PC shows ${shown}.`, hint: '' }];
  const aheadMinutes = offsetMinutes(toolZone, nowMs) - offsetMinutes(ownZone, nowMs);
  if (aheadMinutes !== 0) {
    const hours = `${Math.abs(aheadMinutes) / 60} h ${aheadMinutes > 0 ? 'ahead of' : 'behind'}`;
    findings.push({
      level: 'warning',
      subject,
      message: `The tool's time zone (${toolZone}) is ${hours} this PC's (${ownZone}).`,
      hint: 'Right if the tool writes its logs in that zone; else correct tool.time_zone.',
    });
  }
  return findings;
}

/** Why a folder cannot be listed; null when it can. */
async function findBarrier(folder: string): Promise<string | null> {
  try {
    await (await opendir(folder)).close();
    await access(folder, constants.X_OK);
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'is not there';
    if (code === 'ENOTDIR') return 'is not a folder';
    return code === 'EACCES' || code === 'EPERM' ? 'may not be read by this user' : `cannot be listed (${code})`;
  }
}

const NO_CHANNELS = 'Right for a log of events. Else name the columns of numbers under dialect.numeric.';
const REFUSED = 'Right if these are damaged, or stand for no value; else describe the log under dialect.';

/** What of the lines would be refused, by kind with an example of each. */
function tellRefused(
  { refused, cellsRefused, lines, why }: NonNullable<FolderLook['looked']>,
  file: string | null,
): string {
  const parts = [
    ...(refused > 0 ? [`${formatCount(refused)} of ${formatCount(lines)} lines`] : []),
    ...(cellsRefused > 0 ? [`${formatCount(cellsRefused)} ${cellsRefused === 1 ? 'cell' : 'cells'}`] : []),
  ];
  const kinds = why.map(({ reason, text }) => `"${text.trim().slice(0, TEXT_SHOWN)}" ${reason}`);
  return `${parts.join(' and ')} of ${file} would be refused, with their text: ${kinds.join('; ')}.`;
}

/** Files stand there, and the settings do not say whether they are to be read. */
function askBackfill(subject: string, { files, bytes, oldestMs, newestMs }: FolderLook): Finding {
  const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  const span = `last changed from ${day(oldestMs)} to ${day(newestMs)}, ${formatBytes(bytes)}`;
  return {
    level: 'warning',
    subject,
    message: `backfill is not set: ${files === 1 ? 'the file that is' : `the ${formatCount(files)} files that are`} there already (${span}) would not be read at the first start, only what comes from then on.`,
    hint: 'Set backfill: from-now if that is right, all, or a date such as 2026-11-01 to read them too.',
  };
}

/**
 * Check one log source: its folder, its files, and whether the newest can be read.
 *
 * @returns one finding, and more where columns would be left out or the settings do not say what becomes of old files.
 */
export async function checkLogSource(source: LogSourceSettings, look: CheckOptions['look']): Promise<Finding[]> {
  const { id, path, match, timeZone, dialect } = source;
  const subject = `source ${id}`;
  const barrier = await findBarrier(path);
  if (barrier !== null) {
    const hint = 'Check the path, the rights of this user, and that the drive or share is there.';
    return [{ level: 'error', subject, message: `The folder ${path} ${barrier}.`, hint }];
  }
  const seen = await look({ folder: path, match, timeZone, timeFormat: '', dialect });
  if (seen.files === 0) {
    const message = `No file in ${path} matches ${match}.`;
    const hint = seen.hint || 'Right if the tool has not written yet; else check the pattern.';
    return [{ level: 'warning', subject, message, hint }];
  }
  const asked = source.backfill === 'ask' ? [askBackfill(subject, seen)] : [];
  const files = `${formatCount(seen.files)} ${seen.files === 1 ? 'file matches' : 'files match'} in ${path}`;
  if (seen.problem !== '') {
    const message = `${files}; ${seen.file ?? 'none'}: ${seen.problem}`;
    return [{ level: 'error', subject, message, hint: seen.hint }, ...asked];
  }
  const { looked } = seen;
  const far = looked === undefined || looked.isWhole ? '' : ` (looked at as far as line ${formatCount(looked.lines)})`;
  const message = `${files}; ${seen.file} gives ${tellChannels(seen.channels)}${far}.`;
  const isEmpty = seen.channels.length === 0;
  const findings: Finding[] = [
    isEmpty
      ? { level: 'warning', subject, message: `${message} Nothing of it would be streamed.`, hint: NO_CHANNELS }
      : { level: 'ok', subject, message, hint: '' },
    ...asked,
  ];
  if (looked?.stop) {
    findings.push({
      level: 'warning',
      subject,
      message: `Reading ${seen.file} stops at line ${formatCount(looked.stop.line)}, "${looked.stop.text}": what follows does not fit the columns before, and waits for a person.`,
      hint: 'Start anyway: nothing is lost, and the page of the source asks how to read on (or epistream answer). Or set columns_change: accept at the source.',
    });
  } else if (looked !== undefined && looked.refused + looked.cellsRefused > 0) {
    findings.push({ level: 'warning', subject, message: tellRefused(looked, seen.file), hint: REFUSED });
  }
  if (seen.leftOut.length > 0) {
    const shown = seen.leftOut.slice(0, NAMES_SHOWN).join(', ');
    const rest = seen.leftOut.length > NAMES_SHOWN ? ` and ${seen.leftOut.length - NAMES_SHOWN} more` : '';
    findings.push({
      level: 'warning',
      subject,
      message: `Columns that hold text are not streamed: ${shown}${rest}.`,
      hint: 'A column of numbers among them? Name it under dialect.numeric.',
    });
  }
  return findings;
}

/**
 * Check the file of a lab's own certificate authority.
 *
 * @returns nothing when none is set; else whether it can be read, holds certificates, and how long they are valid.
 */
export async function checkAuthorityFile(file: string | null, nowMs: number): Promise<Finding[]> {
  if (file === null) return [];
  const subject = 'certificate authority';
  const refuse = (what: string): Finding[] => [
    {
      level: 'error',
      subject,
      message: `${file} ${what}.`,
      hint: 'Ask for the file again, in PEM form, or remove ca_file.',
    },
  ];
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return refuse('holds no certificate in PEM form');
  let certificates: X509Certificate[];
  try {
    certificates = blocks.map((block) => new X509Certificate(block));
  } catch {
    return refuse('holds a certificate that cannot be read');
  }
  const expired = certificates.filter(({ validTo }) => Date.parse(validTo) < nowMs);
  if (expired.length === blocks.length)
    return refuse(`holds only certificates that expired, one on ${expired[0]?.validTo}`);
  const message = `${file} holds ${blocks.length} ${blocks.length === 1 ? 'certificate' : 'certificates'}.`;
  return [{ level: 'ok', subject, message, hint: '' }];
}

/**
 * Check everything that needs neither the service nor its key. Takes the settings, the data folder that would be used, wall
 * time, and how to look into a log folder.
 *
 * @returns findings in the order of the file, at least one for each part; nothing is written or made but one file in an
 *   existing data folder, removed at once.
 */
export async function checkSettings(settings: Settings, options: CheckOptions): Promise<Finding[]> {
  const { dataFolder, nowMs, look, lookAtLine, lookAtCounter } = options;
  const findings = [
    ...checkClock(nowMs, settings.tool.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone),
    ...(await checkDataFolder(dataFolder)),
    await checkAwake(settings.keepAwake),
    ...(await checkAuthorityFile(settings.service.caFile, nowMs)),
  ];
  for (const source of settings.sources) {
    const subject = `source ${source.id}`;
    if (source.kind === 'log') findings.push(...(await checkLogSource(source, look)));
    else if (source.kind === 'rheed') findings.push(...(await lookAtCounter(source)));
    else if (source.kind === 'serial') findings.push({ subject, ...(await lookAtLine(source)) });
    else findings.push({ level: 'ok', subject, message: 'A simulated growth, ready.', hint: '' });
  }
  if (settings.sources.length === 0) {
    const hint = 'Add a source to the settings file, or connect a tool on the screen.';
    findings.push({ level: 'warning', subject: 'sources', message: 'The settings name no source.', hint });
  }
  return findings;
}
