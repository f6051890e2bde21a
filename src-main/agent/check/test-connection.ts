// A test of the way to the service, with one question that changes nothing. What stands in between is named as people
// name it: the name that is not known, the clock, the log-in page, the key.
import { readFile } from 'node:fs/promises';
import type { Argument, Value } from '../../contract/table.ts';
import { createServiceClient } from '../../delivery/client/client.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import { ServiceError } from '../../delivery/client/service-error.ts';
import { toAgentError } from '../../model/agent-error.ts';
import { type BoundKey, otherAddress } from '../../platform/bound-key.ts';
import { parseServiceAddress } from '../../settings/fields.ts';
import { type AccountStore, gateByAccount } from '../service-link/account-gate.ts';
import { EMBEDDED } from '../service-link/service-link.ts';

type Finding = Value<'settings', 'test'>;

/** Somebody waits at the screen: shorter than for a transfer, milliseconds. */
const TIMEOUTS = { connectMs: 8_000, headersMs: 15_000, totalMs: 20_000 };

const NOT_SENT: Readonly<Record<string, Finding['kind']>> = {
  'service.dns': 'dns',
  'service.refused-connection': 'refused',
  'service.unreachable': 'unreachable',
  'service.no-answer': 'no-answer',
  'service.tls': 'certificate',
  'service.no-https': 'address',
  'service.clock': 'clock',
  'service.proxy': 'proxy',
  'service.proxy-login': 'proxy',
  'service.key-refused': 'key',
  'upload.other-account': 'account',
  'service.target-gone': 'address',
};

export interface TestParts {
  /** The key that is kept, for the address that it is kept for. */
  readonly kept: Pick<BoundKey, 'readFor' | 'origin'>;
  /** The queue that would be delivered there; null: nothing runs, and its account is not asked for. */
  readonly store: AccountStore | null;
  readonly monotonicMs: () => number;
  readonly findProxy: FindProxy;
}

/**
 * Test the connection. Takes address, CA file and key as they were typed (an empty key: the one that is kept for this very
 * address).
 *
 * @returns what was found; never rejects. Nothing is stored anywhere, the key least of all.
 */
export async function testConnection(asked: Argument<'settings', 'test'>, parts: TestParts): Promise<Finding> {
  const beganMs = parts.monotonicMs();
  const found = await look(asked, parts);
  return { ...found, tookMs: parts.monotonicMs() - beganMs };
}

type Found = Omit<Finding, 'tookMs'>;

async function look({ url, caFile, apiKey }: Argument<'settings', 'test'>, parts: TestParts): Promise<Found> {
  const address = parseServiceAddress(url.trim());
  if (!address.isValid) return { kind: 'address', message: capital(`${address.message}.`), hint: address.hint };
  if (address.value === EMBEDDED) {
    const hint = 'To deliver to a service of your organization, give its address.';
    return { kind: 'embedded', message: 'The service inside this program needs no network and no key.', hint };
  }
  const key = apiKey.trim() === '' ? parts.kept.readFor(address.value) : apiKey.trim();
  if (key === null) {
    const none = { message: 'No key is known yet.', hint: 'Type in the key of this service.' };
    return { kind: 'no-key', ...(parts.kept.origin === null ? none : otherAddress(parts.kept.origin)) };
  }
  let caPem: string | undefined;
  try {
    caPem = caFile === null ? undefined : await readFile(caFile, 'utf8');
  } catch (thrown) {
    const { message } = toAgentError(thrown);
    return {
      kind: 'authority-file',
      message: `${caFile} cannot be read: ${message}.`,
      hint: 'Correct the path, or leave it empty.',
    };
  }
  try {
    const client = createServiceClient({
      baseUrl: address.value,
      apiKey: () => key,
      caPem,
      timeouts: TIMEOUTS,
      findProxy: parts.findProxy,
    });
    // The same gate as in the run, which keeps nothing here: a key of another account is told before it is used.
    const keepNothing = async () => {};
    const store = parts.store && {
      account: (of: string) => (parts.store as AccountStore).account(of),
      setAccountMark: keepNothing,
    };
    const gated = store ? gateByAccount(client, { store, serviceAddress: client.baseUrl, apiKey: () => key }) : client;
    try {
      await gated.listDataEntries({ limit: 1 }, { signal: AbortSignal.timeout(TIMEOUTS.totalMs) });
    } finally {
      await client.close();
    }
    return { kind: 'works', message: `${address.value} answers and takes the key.`, hint: '' };
  } catch (thrown) {
    return nameFault(thrown);
  }
}

function nameFault(thrown: unknown): Found {
  const { code, message, hint } = toAgentError(thrown);
  const status = thrown instanceof ServiceError ? thrown.status : null;
  const isStranger = code === 'service.stranger';
  if (isStranger) return { kind: status === 407 ? 'proxy' : 'portal', message, hint };
  return { kind: NOT_SENT[code] ?? 'service', message, hint };
}

const capital = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
