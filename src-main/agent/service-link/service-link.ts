// The service that the settings name: the embedded one, started here, or one at an address.
import { readFile } from 'node:fs/promises';
import { createServiceClient, type ServiceClient } from '../../delivery/client/client.ts';
import { createLinkClient, type LinkClient } from '../../delivery/client/download.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import { startLocalService } from '../../local-service/local-service.ts';
import { AgentError } from '../../model/agent-error.ts';
import type { ServiceSettings } from '../../settings/settings.ts';
import { findProxyBy } from './find-proxy.ts';

/** Mark of streams that live in the embedded service: its port may change from start to start. */
export const EMBEDDED = 'embedded';

export interface ServiceLink {
  readonly client: ServiceClient;
  /** For pre-signed addresses of this service; never learns the key. */
  readonly links: LinkClient;
  readonly isEmbedded: boolean;
  /** What a stream is bound to: the base address, or `embedded`. */
  readonly mark: string;
  /** Address as a person reads it. */
  readonly address: string;
  stop(): Promise<void>;
  /** Take the embedded service away and bring it back where it was, for a drill; null: the service is elsewhere. */
  readonly outage: { begin(): Promise<void>; end(): Promise<void> } | null;
}

export interface ServiceLinkOptions {
  readonly settings: ServiceSettings;
  /** Folder of the embedded service. */
  readonly folder: string;
  /** Key for a service at an address; null: not known. */
  readonly apiKey: () => string | null;
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy | undefined;
  /** The embedded service met a fault. */
  readonly onFault: (fault: AgentError) => void;
  /** The service has moved one of its paths, and another of the settings is used. */
  readonly onPathMoved: (note: AgentError) => void;
}

/**
 * Reach the service that the settings name.
 *
 * @returns a client for it; nothing was sent yet to a service at an address. `stop` ends the client, and the embedded service
 *   with it.
 * @throws those of `startLocalService` and `createServiceClient`; `service.ca-file` when the CA file cannot be read.
 */
export async function openServiceLink(options: ServiceLinkOptions): Promise<ServiceLink> {
  const { settings, folder, apiKey, onFault, onPathMoved, systemProxy } = options;
  if (settings.url === EMBEDDED) {
    let local = await startLocalService({ folder });
    local.onFailure(onFault);
    const { url, apiKey } = local;
    const client = createServiceClient({ baseUrl: url, apiKey: () => apiKey });
    const links = createLinkClient({ baseUrl: url });
    const outage = {
      begin: () => local.stop(),
      end: async () => {
        local = await startLocalService({ folder, port: Number(new URL(url).port) });
        local.onFailure(onFault);
      },
    };
    const stop = async () => {
      await Promise.all([client.close(), links.close()]);
      await local.stop();
    };
    return { client, links, isEmbedded: true, mark: EMBEDDED, address: url, stop, outage };
  }
  const caPem = settings.caFile === null ? undefined : await readCaFile(settings.caFile);
  const findProxy = findProxyBy(settings.proxy, systemProxy);
  const { paths } = settings;
  const client = createServiceClient({ baseUrl: settings.url, apiKey, caPem, findProxy, paths, onPathMoved });
  const links = createLinkClient({ baseUrl: client.baseUrl, caPem, findProxy });
  const stop = async () => void (await Promise.all([client.close(), links.close()]));
  const address = client.baseUrl;
  return { client, links, isEmbedded: false, mark: address, address, stop, outage: null };
}

async function readCaFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AgentError({
      code: 'service.ca-file',
      message: `The certificate file ${path} (service.ca_file) cannot be read.`,
      hint: 'Correct the path in the settings, or set it to null to use the usual authorities.',
      retry: 'after-human',
      cause,
    });
  }
}
