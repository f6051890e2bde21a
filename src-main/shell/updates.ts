// Updates of this program. A tool PC is not a phone: nothing is looked for unless the settings say so, nothing is fetched
// while a growth runs, and what is fetched waits until a person quits the program. Then it is installed after everything
// captured is on disk, and not if a growth runs. What was not sent waits in the queue, which no installer touches.
import { isDeepStrictEqual } from 'node:util';
import type { JournalEntry } from '../contract/snapshot.ts';
import type { UpdatesView } from '../contract/updates.ts';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import { checkFile, compareVersions, FEED_BYTES_MAX, readFeed, type Update } from './update-feed.ts';

/** How often the server is asked, milliseconds. */
const LOOK_INTERVAL_MS = 6 * 3_600_000;
/** Longest that a file may take to come, milliseconds: one that never ends must not hold up the next look. */
const FETCH_MAX_MS = 2 * 3_600_000;

export interface FetchedUpdate {
  readonly path: string;
  /** Put it in the place of this program, which is about to end. */
  install(): void;
}

/** How an update comes here and takes its place; behind it stands electron-updater. */
export interface UpdatePort {
  /**
   * A small file, whole.
   *
   * @throws any answer but the file itself, a redirect, more than `maxBytes`.
   */
  readSmall(url: string, maxBytes: number): Promise<Uint8Array>;
  /** Fetch the file of an update that stands in a folder of a server: from there and nowhere else, until `signal` ends it. */
  fetch(update: Update, folderUrl: string, signal: AbortSignal): Promise<FetchedUpdate>;
}

export interface UpdatesOptions {
  /** The version that runs. */
  readonly version: string;
  readonly feedName: string;
  /** Public key (PEM) that is packed in; null: none. */
  readonly publicKey: string | null;
  /** Why this installation cannot exchange itself; empty: it can. */
  readonly whyNot: string;
  readonly port: UpdatePort;
  readonly nowMs: () => number;
  /** Longest that a file may take to come, milliseconds; left out: two hours. */
  readonly fetchMaxMs?: number;
  /** Note an event; without one, what is shown has changed. */
  readonly tell: (event?: Omit<JournalEntry, 'id' | 'atMs'>) => void;
}

export interface UpdatesSettings {
  readonly url: string | null;
  readonly when: 'off' | 'on-quit';
}

const off = (text: string, hint: string): UpdatesView => ({ state: 'off', text, hint, checkedMs: null, version: null });

const OFF = off(
  'Updates are off: a person installs a new version.',
  'To have one installed when the program is quit, set updates in epistream.yaml.',
);

export class Updates {
  readonly #options: UpdatesOptions;
  #view: UpdatesView = OFF;
  #settings: UpdatesSettings = { url: null, when: 'off' };
  /** Where to look; null: nowhere. */
  #folderUrl: string | null = null;
  #ready: { readonly update: Update; readonly fetched: FetchedUpdate } | null = null;
  #looking: Promise<void> | null = null;
  /** Until it is told: as if a growth ran, since one may go on from before. */
  #isGrowing = true;
  /** Ends the look that runs. */
  #stopLook = new AbortController();
  /** A look that had to wait for the end of a growth, or was ended by its beginning. */
  #isDue = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  get view(): UpdatesView {
    return this.#view;
  }

  /** Go by these settings from now on; looks at once where they are new. */
  follow(settings: UpdatesSettings): void {
    const isSame = settings.url === this.#settings.url && settings.when === this.#settings.when;
    if (isSame) return;
    this.#settings = settings;
    this.#stop();
    const why = this.#whyOff();
    if (why !== null) {
      this.#show(why);
      if (why !== OFF) this.#warn('update.off', why);
      return;
    }
    this.#folderUrl = settings.url;
    this.#timer = setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref();
    void this.look();
  }

  /** A growth runs, or none does. What is being fetched when one begins is given up, and fetched when it has ended. */
  seeGrowth(isGrowing: boolean): void {
    this.#isGrowing = isGrowing;
    if (isGrowing) this.#stopLook.abort();
    else if (this.#isDue) void this.look();
  }

  /** Ask the server, and fetch what is newer. Fulfilled when that is done; what went wrong is told. */
  look(): Promise<void> {
    this.#isDue = false;
    if (this.#folderUrl === null) return Promise.resolve();
    if (this.#isGrowing) {
      this.#wait();
      return Promise.resolve();
    }
    this.#looking ??= this.#lookUntilDone().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Settings that changed during a look want one more. */
  async #lookUntilDone(): Promise<void> {
    for (let url = this.#folderUrl, done: string | null = null; url !== null && url !== done; url = this.#folderUrl) {
      await this.#look(url);
      done = url;
    }
  }

  /**
   * The program quits: look no more.
   *
   * @param isAsked - whether a person asked for it; a shutdown of the PC is no time for an installer.
   * @returns what installs the update, to be called once everything captured is on disk; null: nothing is to be done.
   */
  quit(isAsked: boolean): (() => Promise<void>) | null {
    const ready = this.#ready;
    const isGrowing = this.#isGrowing;
    this.#stop();
    if (ready === null || !isAsked || isGrowing) return null;
    const { update, fetched } = ready;
    this.#options.tell({
      level: 'info',
      code: 'update.installing',
      message: `Epistream ${update.version} is installed as soon as everything captured is stored.`,
      hint: '',
    });
    return async () => {
      // It lay on the disk since it was checked.
      await checkFile(fetched.path, update);
      fetched.install();
    };
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopLook.abort();
    this.#folderUrl = null;
    this.#ready = null;
    this.#isDue = false;
  }

  /** The look is due when no growth runs; what is ready stays so. */
  #wait(): void {
    this.#isDue = true;
    const { checkedMs } = this.#view;
    const text = 'The update server is asked as soon as no growth runs.';
    if (this.#ready) this.#showReady(this.#ready.update, checkedMs);
    else this.#show({ state: 'idle', text, hint: '', checkedMs, version: null });
  }

  #whyOff(): UpdatesView | null {
    const { url, when } = this.#settings;
    const { whyNot, publicKey } = this.#options;
    if (when === 'off') return OFF;
    if (whyNot !== '') return off(`Updates stay off: ${whyNot}`, 'A person installs a new version.');
    if (publicKey === null) {
      return off(
        'Updates stay off: this program was packed without the key by which an update could be checked.',
        'Install one by hand, or ask the people who pack the program to pack the key in.',
      );
    }
    return url === null ? off('Updates stay off: no address is set.', 'Set updates.url in epistream.yaml.') : null;
  }

  async #look(folderUrl: string): Promise<void> {
    const { version, tell, fetchMaxMs = FETCH_MAX_MS } = this.#options;
    this.#stopLook = new AbortController();
    const { signal } = this.#stopLook;
    const isStillWanted = () => this.#folderUrl === folderUrl;
    this.#show({ ...this.#view, state: 'looking', text: 'Looking for a new version.', hint: '' });
    try {
      const update = await this.#readUpdate(folderUrl);
      const checkedMs = this.#options.nowMs();
      if (!isStillWanted()) return;
      const order = compareVersions(update.version, version);
      if (order <= 0) {
        this.#ready = null;
        const text =
          order === 0
            ? `Epistream ${version} is the newest version.`
            : `The update server has Epistream ${update.version}, which is older than this one (${version}): it is not taken.`;
        this.#show({ state: 'idle', text, hint: '', checkedMs, version: null });
        if (order < 0) this.#warn('update.older', this.#view);
        return;
      }
      if (this.#ready && isDeepStrictEqual(this.#ready.update, update)) {
        this.#showReady(update, checkedMs);
        return;
      }
      signal.throwIfAborted();
      const fetched = await this.#fetch(update, folderUrl, AbortSignal.any([signal, AbortSignal.timeout(fetchMaxMs)]));
      await checkFile(fetched.path, update);
      if (!isStillWanted()) return;
      this.#ready = { update, fetched };
      this.#showReady(update, checkedMs);
      tell({ level: 'info', code: 'update.ready', message: this.#view.text, hint: '' });
    } catch (thrown) {
      if (!isStillWanted()) return;
      if (signal.aborted) this.#wait();
      else await this.#fail(toAgentError(thrown).message);
    }
  }

  async #fetch(update: Update, folderUrl: string, signal: AbortSignal): Promise<FetchedUpdate> {
    try {
      return await this.#options.port.fetch(update, folderUrl, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      throw new AgentError({
        code: 'update.failed',
        message: `${update.file.url} did not come whole in the time that it may take.`,
        hint: 'Epistream tries again automatically.',
        retry: 'later',
        cause: thrown,
      });
    }
  }

  /** What was fetched and checked before stays ready while its file is whole: a server may be away. */
  async #fail(message: string): Promise<void> {
    const { checkedMs } = this.#view;
    const hint = 'This version goes on; the update server is asked again by itself.';
    const failed: UpdatesView = { state: 'failed', text: `No update: ${message}`, hint, checkedMs, version: null };
    this.#warn('update.failed', failed);
    const { update, fetched } = this.#ready ?? {};
    const isWhole = update !== undefined && fetched !== undefined && (await isWholeFile(fetched.path, update));
    if (isWhole) return this.#showReady(update, checkedMs);
    this.#ready = null;
    this.#show(failed);
  }

  #showReady({ version }: Update, checkedMs: number | null): void {
    const text = `Epistream ${version} is ready: it is installed when a person quits while no growth runs.`;
    this.#show({ state: 'ready', text, hint: '', checkedMs, version });
  }

  async #readUpdate(folderUrl: string): Promise<Update> {
    const { port, feedName: name, publicKey } = this.#options;
    const feed = await port.readSmall(`${folderUrl}/${name}`, FEED_BYTES_MAX);
    const signature = await port.readSmall(`${folderUrl}/${name}.sig`, FEED_BYTES_MAX);
    return readFeed({ name, feed, signature: Buffer.from(signature).toString('utf8') }, publicKey ?? '');
  }

  #show(view: UpdatesView): void {
    this.#view = view;
    this.#options.tell();
  }

  #warn(code: string, { text, hint }: UpdatesView): void {
    this.#options.tell({ level: 'warning', code, message: text, hint });
  }
}

/** A file that is gone or another is told as not whole; the reason does not matter here. */
const isWholeFile = (path: string, update: Update) =>
  checkFile(path, update).then(
    () => true,
    () => false,
  );
