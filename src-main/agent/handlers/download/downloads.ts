// Raw files that a person saves into a folder of this PC (4.9 as bytes). They go on when the page is left; a few at a time.
// The service chooses what is in such a file and how it is called, so the screen does not choose any folder for it: it goes
// into the download folder of this user, or into one that a person named in the settings file.
import type { z } from 'zod';
import type { DownloadView } from '../../../contract/download.ts';
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { AgentError, toAgentError } from '../../../model/agent-error.ts';
import { namedFolder } from './named-folder.ts';

type Download = z.infer<typeof DownloadView>;

const RUNNING_MAX = 3;
/** Downloads that are remembered at most. */
const KEPT_MAX = 20;

/** The downloads of this run of the agent. */
export class Downloads {
  #lastId = 0;
  #known: { view: Download; abort: AbortController }[] = [];

  /** Newest first. */
  get views(): Download[] {
    return this.#known.map(({ view }) => view);
  }

  /**
   * Begin to save the raw file of an entry. Takes the client; the entry, a name for when the service tells none, a folder
   * that exists, and the folders into which files may be saved, those within them included.
   *
   * @returns the download, which runs. What becomes of it stands in `views`.
   * @throws `download.folder`, `download.too-many`.
   */
  start(
    client: Pick<ServiceClient, 'downloadRawData'>,
    { dataId, name, folder: asked }: { dataId: string; name: string; folder: string },
    allowed: readonly string[],
  ): Download {
    const folder = namedFolder(asked, allowed);
    if (this.#known.filter(({ view }) => view.state === 'running').length >= RUNNING_MAX) throw tooManyError();
    this.#lastId += 1;
    const view: Download = {
      id: this.#lastId,
      dataId,
      folder,
      state: 'running',
      receivedBytes: 0,
      totalBytes: null,
      path: '',
      originalName: '',
      message: '',
      hint: '',
    };
    const abort = new AbortController();
    this.#known = [{ view, abort }, ...this.#known].slice(0, KEPT_MAX);
    void this.#run(client, view, name, abort.signal);
    return view;
  }

  /** Give a download up; what had come of it is removed. Nothing happens when it has ended. */
  cancel(id: number): void {
    this.#known.find(({ view }) => view.id === id)?.abort.abort();
  }

  async #run(
    client: Pick<ServiceClient, 'downloadRawData'>,
    view: Download,
    name: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const saved = await client.downloadRawData(
        { data_id: view.dataId, ...(name === '' ? {} : { file_name: name }) },
        { folder: view.folder, signal, onProgress: (progress) => Object.assign(view, progress) },
      );
      const { path, originalName, sizeBytes } = saved;
      Object.assign(view, { state: 'done', path, originalName, receivedBytes: sizeBytes });
    } catch (thrown) {
      if (signal.aborted) return void Object.assign(view, { state: 'cancelled' });
      const { message, hint } = toAgentError(thrown);
      Object.assign(view, { state: 'failed', message, hint: adviceFor(thrown, hint) });
    }
  }
}

/** Hints of the client are worded for what waits in the queue; a file does not. */
function adviceFor(thrown: unknown, hint: string): string {
  const { code = '' } = thrown as { code?: string };
  if (code === 'service.ambiguous') return 'Nothing was kept of it. Save it again.';
  if (code === 'service.target-gone') return 'The service has no raw file for this entry.';
  return hint;
}

function tooManyError(): AgentError {
  return new AgentError({
    code: 'download.too-many',
    message: `${RUNNING_MAX} files are being saved already.`,
    hint: 'Wait until one is complete, or cancel one.',
  });
}
