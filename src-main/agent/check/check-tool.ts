// What of the settings works on this PC, the service included, without recording or sending anything.
import { readFile } from 'node:fs/promises';
import { createServiceClient } from '../../delivery/client/client.ts';
import { toAgentError } from '../../model/agent-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { KEY_VARIABLE } from '../../platform/secrets.ts';
import type { SerialSourceSettings, ServiceSettings, Settings } from '../../settings/settings.ts';
import { previewLogFolder } from '../../sources/log/reader/log-reader.ts';
import { tryLine } from '../../sources/serial/probe/try-line.ts';
import { placeOfFault } from '../../sources/serial/profile/profile-place.ts';
import { findProxyBy } from '../service-link/find-proxy.ts';
import { EMBEDDED } from '../service-link/service-link.ts';
import { checkCounter } from './check-counter.ts';
import { checkSettings } from './check-settings.ts';
import type { Finding } from './finding.ts';

/**
 * Check settings against this PC and the service.
 *
 * @param dataFolder - the data folder that would be used.
 * @param apiKey - the API key (null: not known).
 * @returns findings in the order of the settings file, the service last.
 */
export async function checkTool(
  settings: Settings,
  file: string,
  dataFolder: string,
  apiKey: string | null,
): Promise<Finding[]> {
  const local = await checkSettings(settings, {
    dataFolder,
    nowMs: Date.now(),
    look: (options) => previewLogFolder({ ...options, isThorough: true }),
    lookAtLine: (source) => lookAtSerial(source, file),
    lookAtCounter: (source) => checkCounter(source, systemClock),
  });
  return [...local, await checkService(settings.service, apiKey)];
}

/** Look at a serial source; a fault of its profile is told with file and line. */
async function lookAtSerial(source: SerialSourceSettings, file: string): Promise<Omit<Finding, 'subject'>> {
  const { fault, ...look } = await tryLine(source, systemClock);
  const place = fault === undefined ? null : await placeOfFault(fault, source, file);
  return place === null ? look : { ...look, message: `${place}: ${look.message}` };
}

/** Ask the service for one catalogue entry: that needs address, certificate and key to be right, and changes nothing. */
async function checkService(settings: ServiceSettings, apiKey: string | null): Promise<Finding> {
  const subject = 'service';
  if (settings.url === EMBEDDED) {
    return { level: 'ok', subject, message: 'The embedded service needs no network and no key.', hint: '' };
  }
  if (apiKey === null) {
    const hint = `Set ${KEY_VARIABLE}, or type the key in on the screen.`;
    return { level: 'error', subject, message: `No API key is known for ${settings.url}.`, hint };
  }
  // A CA file that cannot be read has its own finding.
  const caPem = settings.caFile === null ? undefined : await readFile(settings.caFile, 'utf8').catch(() => undefined);
  try {
    const findProxy = findProxyBy(settings.proxy);
    const client = createServiceClient({ baseUrl: settings.url, apiKey: () => apiKey, caPem, findProxy });
    try {
      await client.listDataEntries({ limit: 1 });
    } finally {
      await client.close();
    }
    return { level: 'ok', subject, message: `${settings.url} answers and takes the key.`, hint: '' };
  } catch (thrown) {
    const { message, hint } = toAgentError(thrown);
    return { level: 'error', subject, message, hint };
  }
}
