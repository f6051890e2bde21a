// The fields of the settings file that are more than a number or a word. Each checks its text as far as that is possible
// without touching disk or network, and says what to write instead.
import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { checkBaseUrl } from '../delivery/client/base-url.ts';
import { compileGlob } from '../model/glob.ts';
import { type Parsed, parseDuration } from './duration.ts';
import { findNearest } from './nearest.ts';

const CONTROL = /\p{Cc}/u;

function refuse(message: string, hint: string): Parsed<never> {
  return { isValid: false, message, hint };
}

/** A text field with a check of its own, whose refusal carries a hint. */
function checkedText<T>(maxLength: number, check: (text: string) => Parsed<T>, text = z.string()) {
  return text.max(maxLength).transform((text, context): T => {
    const parsed = check(text);
    if (parsed.isValid) return parsed.value;
    context.addIssue({ code: 'custom', message: parsed.message, params: { hint: parsed.hint }, input: text });
    return z.NEVER;
  });
}

/** A duration with its unit, in bounds; read as milliseconds. */
export function durationField(minMs: number, maxMs: number, bounds: string) {
  const check = (text: string): Parsed<number> => {
    const parsed = parseDuration(text);
    if (!parsed.isValid || (parsed.value >= minMs && parsed.value <= maxMs)) return parsed;
    return refuse(`${text} is out of bounds`, `Give ${bounds}.`);
  };
  const error = ({ input }: { input?: unknown }) => (typeof input === 'number' ? `${input} has no unit` : undefined);
  return checkedText(40, check, z.string({ error }));
}

function parseTimeZone(text: string): Parsed<string> {
  const hint = 'Give an IANA name such as Europe/Berlin, America/New_York or UTC.';
  if (/^[+-]/.test(text)) return refuse(`${text} is an offset, which knows no summer time`, hint);
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return { isValid: true, value: text };
  } catch {
    // Throwing is how Intl says that it does not know the name.
    const near = findNearest(text, Intl.supportedValuesOf('timeZone'));
    return refuse(`${JSON.stringify(text)} is not a time zone`, near ? `Did you mean ${near}? ${hint}` : hint);
  }
}

/** IANA name of a time zone, kept as written. */
export const timeZoneField = () => checkedText(64, parseTimeZone);

/** Host part of an address as it is written, without its port; undefined when there is none. */
function writtenHost(text: string): string | undefined {
  return /^https?:\/\/(\[[^\]]*\]|[^/:]*)(?::\d+)?(?:\/|$)/i.exec(text)?.[1]?.toLowerCase();
}

/**
 * Check the address of the service as a person writes it.
 *
 * @param text - `embedded` or an address.
 * @returns the same, without trailing slashes. Beyond the service's own rule (https anywhere, http on this PC) the host must be
 *   written as it will be contacted: `127.1`, `0x7f000001` and `[::ffff:127.0.0.1]` mean other things to other programs and are
 *   refused.
 */
export function parseServiceAddress(text: string): Parsed<string> {
  if (text === 'embedded') return { isValid: true, value: text };
  if (text.includes('@')) {
    // The text is not repeated: what stands before the @ may be a password.
    return refuse('the address holds a user name or password', 'Leave it out: the service knows you by its key.');
  }
  if (/[?#]/.test(text)) return refuse('the address holds a ? or # part', 'Give the address up to there only.');
  const checked = checkBaseUrl(text);
  if (!checked.isValid) return refuse(checked.message.replace(/\.$/, ''), checked.hint);
  const { hostname } = new URL(checked.url);
  if (CONTROL.test(text) || /[\s\\]/.test(text) || writtenHost(text) !== hostname) {
    return refuse(
      `${JSON.stringify(text)} would be contacted as ${hostname}`,
      'Write the host plainly, for example https://host/base or http://127.0.0.1:4311.',
    );
  }
  return { isValid: true, value: checked.url };
}

export const serviceAddressField = () => checkedText(2048, parseServiceAddress);

/** An address by the same rule, of something that cannot be embedded. */
export const webAddressField = () =>
  checkedText(2048, (text) =>
    text === 'embedded'
      ? refuse('embedded is no address', 'Give an address like https://host/folder.')
      : parseServiceAddress(text),
  );

function parseWebhook(text: string): Parsed<string> {
  const [address = '', ...query] = text.split('?');
  const checked = parseServiceAddress(address);
  if (!checked.isValid) return checked;
  if (address === 'embedded' || query.length > 1 || !/^[\x21-\x22\x24-\x7e]*$/.test(query.join())) {
    return refuse('this is no address of a webhook', 'Give an address like https://host/hook.');
  }
  return { isValid: true, value: text };
}

/** An address by the same rule to which alarms are posted, kept as written; it may have a query. */
export const webhookField = () => checkedText(2048, parseWebhook);

/** The address of a mailbox alone, without a name beside it. */
export const mailAddressField = () =>
  checkedText(254, (text): Parsed<string> => {
    if (/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[A-Za-z0-9.-]+$/u.test(text)) return { isValid: true, value: text };
    return refuse(`${JSON.stringify(text)} is not an e-mail address`, 'Give the address alone: operator@example.org.');
  });

/** Name or IPv4 address of a mail server. */
export const mailHostField = () =>
  checkedText(253, (text): Parsed<string> => {
    if (/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) return { isValid: true, value: text.toLowerCase() };
    return refuse(`${JSON.stringify(text)} is not the name of a mail server`, 'Give the name alone: smtp.example.org.');
  });

/** Words for `service.proxy` beside an address. */
const PROXY_WORDS = ['system', 'none'];

function parseProxy(text: string): Parsed<string> {
  if (PROXY_WORDS.includes(text)) return { isValid: true, value: text };
  const hint = 'Write system, none, or an address such as http://proxy.example.org:3128.';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:') return refuse('this is no proxy', hint);
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'the proxy carries a name or a password',
      'Set them in the environment: HTTPS_PROXY=http://name:password@host:port.',
    );
  }
  if (url.pathname !== '/' || url.search !== '') return refuse('the proxy carries a path', hint);
  return { isValid: true, value: url.origin };
}

/** The way to the service. */
export const proxyField = () => checkedText(2048, parseProxy);

function parsePath(text: string): Parsed<string> {
  if (text.trim() === '') return refuse('the path is empty', "Write the absolute path, for example 'C:\\MBE\\Logs'.");
  if (CONTROL.test(text)) {
    return refuse(
      'the path holds a line break, a tab or another control character',
      "Put it in single quotes: in double quotes \\n and \\t are read as control characters. Write 'C:\\new\\test'.",
    );
  }
  if (/^~([/\\]|$)/.test(text)) return refuse('~ is not filled in here', 'Write the absolute path of the folder.');
  if (/^(https?|ftp|file):/i.test(text)) return refuse('this is an address, not a path', 'Give a path of this PC.');
  return { isValid: true, value: text };
}

/** A path of this PC, kept as written. */
export const pathField = () => checkedText(4096, parsePath);

/** Say whether a path is whole in either writing, so that it means the same wherever the settings file stands. */
export function isWholePath(path: string): boolean {
  return posix.isAbsolute(path) || win32.isAbsolute(path);
}

function parsePort(text: string): Parsed<string> {
  const hint = 'Give a name of this PC such as COM3 or /dev/ttyUSB0, or tcp://host:port of a terminal server.';
  if (text.trim() === '' || CONTROL.test(text)) return refuse('the port is empty', hint);
  if (!/^[a-z]+:\/\//i.test(text)) return { isValid: true, value: text.trim() };
  const match = /^tcp:\/\/(\[[0-9a-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})\/?$/i.exec(text.trim());
  const number = Number(match?.[2]);
  if (match && number >= 1 && number <= 65_535) return { isValid: true, value: text.trim().replace(/\/$/, '') };
  return refuse(`${JSON.stringify(text)} is not tcp://host:port`, hint);
}

/** A serial port of this PC, or `tcp://host:port`. */
export const portField = () => checkedText(1024, parsePort);

function parseMatch(text: string): Parsed<string> {
  if (text.trim() === '' || CONTROL.test(text)) return refuse('the pattern is empty', 'For example **/*.csv.');
  if (/^(\/|[A-Za-z]:)/.test(text) || text.split('/').includes('..')) {
    return refuse('the pattern leaves the folder', 'It is relative to `path`: **/*.csv means at any depth.');
  }
  if (/\\[^[\](){}!+@]/.test(text) || text.endsWith('\\')) {
    return refuse('the pattern holds a \\', 'Folders are parted by / here, on Windows too: **/*.csv.');
  }
  const glob = compileGlob(text);
  return glob.isValid ? { isValid: true, value: text } : refuse(glob.message, glob.hint);
}

/** A glob below the folder, with `/` between folders. */
export const matchField = () => checkedText(200, parseMatch);

/** From when on a log is read: `from-now`, `all`, or everything stamped on or after a date of the source's zone. */
export type Backfill = 'from-now' | 'all' | { readonly fromDate: string };

function parseBackfill(text: string): Parsed<Backfill> {
  if (text === 'from-now' || text === 'all') return { isValid: true, value: text };
  const hint = 'Give from-now, all, or a date written year-month-day such as 2026-11-01.';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return refuse(`${JSON.stringify(text)} is not a start`, hint);
  const date = new Date(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return isReal ? { isValid: true, value: { fromDate: text } } : refuse(`there is no day ${text}`, hint);
}

export const backfillField = () => checkedText(20, parseBackfill);

function parseTemplate(text: string): Parsed<string> {
  const isPath = /^(\/[A-Za-z0-9_.~-]+|\/\{data_id\})+\/?$/.test(text) && !/\/\.\.?(\/|$)/.test(text);
  if (isPath && text.split('{data_id}').length === 2) return { isValid: true, value: text };
  return refuse(
    `${JSON.stringify(text)} is not a path with one {data_id}`,
    'For example /tool-state/stream/{data_id}/finalize.',
  );
}

/** Path of the service in which `{data_id}` stands once. */
export const pathTemplateField = () => checkedText(200, parseTemplate);

function parseServicePath(text: string): Parsed<string> {
  const isPath = /^(\/[A-Za-z0-9_.~-]+)+\/?$/.test(text) && !/\/\.\.?(\/|$)/.test(text);
  if (isPath) return { isValid: true, value: text };
  return refuse(`${JSON.stringify(text)} is not a path`, 'For example /tool-state/stream/chunk/multi.');
}

/** Path of the service. */
export const servicePathField = () => checkedText(200, parseServicePath);

/** One line of plain text for people. */
export const lineField = (maxLength: number) =>
  checkedText(maxLength, (text): Parsed<string> => {
    if (text.trim() === '') return refuse('the text is empty', 'Give at least one character.');
    if (CONTROL.test(text)) return refuse('the text holds a control character', 'Give one line of plain text.');
    return { isValid: true, value: text };
  });
