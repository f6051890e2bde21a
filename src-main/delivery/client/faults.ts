// What each way of not succeeding means, and what an operator is told. The classes are those of failure.ts.
import { formatDuration, formatSecond } from '../../model/format.ts';
import { readAnswerWords } from './answer-words.ts';
import { type ConnectFault, causeOf } from './connection.ts';
import type { Failure, NotSentCause } from './failure.ts';
import { parseRetryAfter } from './retry-after.ts';
import { ServiceError } from './service-error.ts';

/** Where a request went: for messages. `place` is method and path, `host` the service's host. */
export interface Target {
  readonly place: string;
  readonly host: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const notSent: Record<Exclude<NotSentCause, 'asked-to-wait'>, { what: (host: string) => string; hint: string }> = {
  dns: {
    what: (host) => `The name ${host} cannot be looked up`,
    hint: 'Check the network cable or Wi-Fi, and the address in the settings.',
  },
  'refused-connection': {
    what: (host) => `${host} refuses the connection`,
    hint: 'The host is there, but no service listens: check the port in the address, or wait until it is started again.',
  },
  unreachable: {
    what: (host) => `There is no way to ${host}`,
    hint: 'Check the network cable or Wi-Fi. Capture goes on; what is queued goes out when the network is back.',
  },
  'no-answer': {
    what: (host) => `${host} does not answer`,
    hint: 'A firewall may drop the connection, or the host is off. Capture goes on meanwhile.',
  },
  tls: {
    what: (host) => `The certificate of ${host} is not trusted`,
    hint: 'If the lab signs with an authority of its own, name its file as ca_file in the settings. Never switch the check off.',
  },
  clock: {
    what: (host) =>
      `The certificate of ${host} is out of date by the clock of this PC, which shows ${formatSecond(Date.now())}`,
    hint: "Correct this PC's date and time if they are wrong; else the service needs a new certificate.",
  },
  proxy: {
    what: (host) => `There is no way to ${host} through the proxy`,
    hint: 'Ask the administrator of the network, or name another one as proxy in the settings. Capture goes on meanwhile.',
  },
  'proxy-login': {
    what: (host) => `The proxy on the way to ${host} asks for a log-in`,
    hint: 'Start Epistream with HTTPS_PROXY=http://name:password@host:port, or ask for a way without a log-in.',
  },
  closed: { what: () => 'The connection was closed by the agent', hint: 'Nothing needs doing.' },
};

/** What the other side of a TLS handshake answers with that speaks no TLS. */
const SPEAKS_NO_TLS = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
]);
const noTls = {
  what: (host: string) => `${host} does not speak https`,
  hint: 'Check the port in the address, or ask whether the service has another address for https. Plain http is only used to this PC.',
};

/** No connection came about. */
export function connectError(fault: ConnectFault, { place, host }: Target): ServiceError {
  const cause = causeOf(fault);
  const isPlain = cause === 'tls' && SPEAKS_NO_TLS.has(fault.code);
  const { what, hint } = isPlain ? noTls : notSent[cause === 'asked-to-wait' ? 'unreachable' : cause];
  const isProxy = cause === 'proxy' || cause === 'proxy-login';
  const issuer = cause === 'tls' && fault.issuer !== '' ? `: it is signed by "${fault.issuer}"` : '';
  return new ServiceError({
    code: isPlain ? 'service.no-https' : `service.${cause}`,
    message: `${what(host)}${issuer} (${isProxy || fault.code === '' ? fault.message : fault.code}); ${place} was not sent.`,
    hint,
    failure: { kind: 'not-sent', afterMs: null, cause },
    cause: fault,
  });
}

/** The client was closed before the request went out. */
export function closedError({ place }: Target): ServiceError {
  const { what, hint } = notSent.closed;
  const failure: Failure = { kind: 'not-sent', afterMs: null, cause: 'closed' };
  return new ServiceError({ code: 'service.closed', message: `${what('')}; ${place} was not sent.`, hint, failure });
}

/** The request may have gone out, and no usable answer came. */
export function ambiguousError(what: string, { place }: Target, answer?: Answer, cause?: unknown): ServiceError {
  return new ServiceError({
    code: 'service.ambiguous',
    message: `${place}: ${what}.`,
    hint: 'Whether it was stored is not known; it is looked up before anything is sent again.',
    failure: { kind: 'ambiguous' },
    status: answer?.status ?? null,
    body: answer?.text ?? '',
    cause,
  });
}

/** Somebody else answers in the service's place. */
function strangerError(what: string, { place, host }: Target, { status, text }: Answer): ServiceError {
  return new ServiceError({
    code: 'service.stranger',
    message: `${place}: ${what}.`,
    hint: `This network answers instead of ${host}: log in to it with a browser first, or check the address in the settings.`,
    failure: { kind: 'not-the-service' },
    status,
    body: text,
  });
}

function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Host that a redirect points to; the rest of the address may hold secrets. */
function redirectHost(location: string | undefined): string {
  return location && URL.canParse(location) ? new URL(location).host : 'another address';
}

/**
 * Say what an answer means that is not a success.
 *
 * @param answer - an answer whose status is not the one the table gives for a success.
 */
export function answerError(answer: Answer, target: Target, nowMs: number): ServiceError {
  const { status, text } = answer;
  const { place } = target;
  const words = readAnswerWords(text);
  const said = words ? `: ${words}` : '';
  const make = (code: string, message: string, hint: string, failure: Failure) =>
    new ServiceError({ code: `service.${code}`, message: `${place}: ${message}`, hint, failure, status, body: text });

  if (status >= 200 && status < 300) {
    if (looksLikePage(answer)) return strangerError('a web page came back', target, answer);
    return ambiguousError(`status ${status} is not the one that means success${said}`, target, answer);
  }
  if (status >= 300 && status < 400) {
    const to = redirectHost(headerOf(answer, 'location'));
    return strangerError(`the answer redirects to ${to} (status ${status}); it is not followed`, target, answer);
  }
  if (status === 407 || status === 511) {
    return strangerError(`a proxy asks for a log-in (status ${status})`, target, answer);
  }
  if (status === 401 || status === 403) {
    const hint =
      status === 401
        ? 'Enter a valid key in the settings. Capture goes on; nothing is lost meanwhile.'
        : 'The key has no right to this: ask who issued it, or enter another. Capture goes on meanwhile.';
    return make('key-refused', `the service refuses the key (status ${status})${said}`, hint, {
      kind: 'held',
      reason: 'key',
    });
  }
  if (status === 404 || status === 410) {
    return make(
      'target-gone',
      `not found on the service (status ${status})${said}`,
      'It was deleted there, or belongs to another organization, or the address in the settings is wrong: choose another target, or keep the data here.',
      { kind: 'held', reason: 'target' },
    );
  }
  const afterMs = parseRetryAfter(headerOf(answer, 'retry-after'), headerOf(answer, 'date'), nowMs);
  if (status === 429 || (status === 503 && afterMs !== null)) {
    const wait = afterMs === null ? 'to wait' : `to wait ${formatDuration(afterMs)}`;
    return make(
      'asked-to-wait',
      `the service asks ${wait} (status ${status})${said}`,
      'Sending goes on automatically then.',
      { kind: 'busy', afterMs },
    );
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return ambiguousError(`status ${status}${said}`, target, answer);
  }
  const isTooLarge = status === 413;
  return make(
    isTooLarge ? 'too-large' : 'refused',
    `${isTooLarge ? 'too large for the service' : 'the service refuses it'} (status ${status})${said}`,
    isTooLarge
      ? 'It is sent in smaller requests where that is possible.'
      : 'It stays here, can be exported, and does not hold up other data. The words of the service say what is wrong.',
    { kind: 'refused', isTooLarge },
  );
}

/** Say whether an answer is a web page by its type or its first character. */
export function looksLikePage(answer: Answer): boolean {
  return /\bhtml\b/i.test(headerOf(answer, 'content-type') ?? '') || /^\s*</.test(answer.text);
}

/** A success by its status that is a web page after all. */
export function pageError(target: Target, answer: Answer): ServiceError {
  return strangerError('a web page came back instead of data', target, answer);
}

/** The key is not known here, so nothing was sent. */
export function noKeyError({ place }: Target): ServiceError {
  return new ServiceError({
    code: 'service.no-key',
    message: `${place} was not sent: no key is known.`,
    hint: 'Enter the key of the service in the settings, or set EPISTREAM_API_KEY. Capture goes on meanwhile.',
    failure: { kind: 'held', reason: 'key' },
  });
}

/** The request itself breaks a rule of the interface, so nothing was sent. */
export function unfitRequestError({ place }: Target, field: string, why: string): ServiceError {
  return new ServiceError({
    code: 'service.unfit-request',
    message: `${place} was not sent: ${field || 'the request'}: ${why}.`,
    hint: 'The interface of the service does not allow this value: correct it where it comes from.',
    failure: { kind: 'refused', isTooLarge: false },
  });
}
