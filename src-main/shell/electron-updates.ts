// electron-updater behind the one door that this program needs of it. It is loaded when there is something to fetch and
// not before; it is never asked what is new. What it may fetch was signed and read before, and is handed to it.
//
// All requests go through a session of their own of Electron's: the proxy is that of this PC, and so are the authorities
// of its certificates (those of the operating system; `service.ca_file` is for the service alone). A proxy that asks for
// a log-in of its own is told as a fault.
import { type Session, session } from 'electron';
import type { AppImageUpdater, NsisUpdater, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider';
import { AgentError } from '../model/agent-error.ts';
import type { Update } from './update-feed.ts';
import { replaceAppImage } from './update-place.ts';
import type { FetchedUpdate, UpdatePort } from './updates.ts';

/** The session that electron-updater makes for itself. */
const PARTITION = 'electron-updater';
/** Longest wait for the feed, milliseconds. */
const READ_TIMEOUT_MS = 30_000;

type Updater = NsisUpdater | AppImageUpdater;

/** Nothing by itself: not fetched, not installed, not an older one, not in pieces from elsewhere. */
const RULES = {
  autoDownload: false,
  autoInstallOnAppQuit: false,
  allowDowngrade: false,
  allowPrerelease: false,
  disableWebInstaller: true,
  disableDifferentialDownload: true,
  logger: null,
} as const satisfies Partial<Updater>;

/**
 * Open the door to electron-updater.
 *
 * @param configPath - the path of its settings, which are packed in: `updaterCacheDirName`, and on Windows `publisherName`
 *   where installers are signed; then it verifies that signature, too. Electron must be ready.
 */
export function openUpdatePort(configPath: string): UpdatePort {
  return {
    readSmall: async (url, maxBytes) => {
      const of = guard(url, null);
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
      return of.whole(async () => readWhole(await of.session.fetch(url, { redirect: 'error', signal }), url, maxBytes));
    },
    fetch: async (update, folderUrl, signal) => {
      const of = guard(`${folderUrl}/${update.file.url}`, update.file.size);
      return of.whole(() => fetchUpdate(update, folderUrl, configPath, signal));
    },
  };
}

const failed = (message: string, cause?: unknown) =>
  new AgentError({
    code: 'update.failed',
    message,
    hint: 'Epistream tries again automatically.',
    retry: 'later',
    cause,
  });

/**
 * Let one address through and nothing else, whatever the server redirects to; and of a file only as many bytes as were
 * signed, so that no server can fill the disk.
 */
function guard(allowed: string, sizeBytes: number | null) {
  const of: Session = session.fromPartition(PARTITION, { cache: false });
  let refusal = '';
  of.webRequest.onBeforeRequest(({ url }, answer) => {
    if (url !== allowed) refusal = `The update server leads to ${new URL(url).host}, which is not followed.`;
    answer({ cancel: url !== allowed });
  });
  of.webRequest.onHeadersReceived(({ statusCode, responseHeaders = {} }, answer) => {
    const header = (wanted: string) =>
      Object.entries(responseHeaders).find(([name]) => name.toLowerCase() === wanted)?.[1]?.[0];
    const length = header('content-length');
    const packing = header('content-encoding');
    const isFile = sizeBytes !== null && statusCode >= 200 && statusCode < 300;
    const isOther = isFile && (length !== String(sizeBytes) || packing !== undefined);
    if (isOther) {
      // What is packed for the way is unpacked by Electron, and a small file can hold a very large one.
      refusal = packing
        ? `The update server packs its file for the way (${packing}), so that its length is not known.`
        : `The update server sends a file of ${length ?? 'unknown'} bytes instead of ${sizeBytes}.`;
    }
    answer({ cancel: isOther });
  });
  return {
    session: of,
    /** Do it, and say what was refused rather than what Electron calls it. */
    whole: async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (fault) {
        if (fault instanceof AgentError && refusal === '') throw fault;
        throw failed(
          refusal === '' ? `The update server cannot be used: ${(fault as Error).message}.` : refusal,
          fault,
        );
      }
    },
  };
}

async function readWhole(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  if (response.status !== 200) throw failed(`The update server answers ${response.status} for ${url}.`);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) throw failed(`${url} is longer than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function fetchUpdate(
  update: Update,
  folderUrl: string,
  configPath: string,
  signal: AbortSignal,
): Promise<FetchedUpdate> {
  const { AppImageUpdater, CancellationToken, NsisUpdater, Provider } = await import('electron-updater');
  const updater: Updater = process.platform === 'win32' ? new NsisUpdater() : new AppImageUpdater();
  Object.assign(updater, RULES);
  updater.updateConfigPath = configPath;
  const { version, file } = update;
  const info = {
    version,
    files: [{ ...file }],
    path: file.url,
    sha512: file.sha512,
    releaseDate: '',
  } satisfies UpdateInfo;
  updater.setFeedURL({
    provider: 'custom',
    updateProvider: class extends Provider<UpdateInfo> {
      constructor(_options: object, _updater: unknown, runtimeOptions: ProviderRuntimeOptions) {
        super(runtimeOptions);
      }
      async getLatestVersion(): Promise<UpdateInfo> {
        return info;
      }
      resolveFiles() {
        return [{ url: new URL(`${folderUrl}/${file.url}`), info: { ...file } }];
      }
    },
  });
  const found = await updater.checkForUpdates();
  if (!found?.isUpdateAvailable) throw failed(`Epistream ${version} does not fit this system.`);
  const token = new CancellationToken();
  const stop = () => {
    token.cancel();
    // The token ends the wait alone; this ends the request.
    void session.fromPartition(PARTITION).closeAllConnections();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [path] = await updater.downloadUpdate(token);
  if (path === undefined) throw failed('Nothing was fetched.');
  return { path, install: () => install(updater, path) };
}

/** On Windows its installer runs without a window after this program has ended, and starts nothing. */
function install(updater: Updater, path: string): void {
  const place = process.env.APPIMAGE;
  if (process.platform !== 'win32' && place !== undefined) {
    replaceAppImage(path, place);
    return;
  }
  let fault: Error | null = null;
  updater.on('error', (thrown) => {
    fault = thrown;
  });
  if (!updater.install(true, false)) throw failed('The installer could not be started.', fault);
}
