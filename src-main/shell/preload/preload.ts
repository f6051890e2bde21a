// Runs in the sandbox of the window, before the page. It puts the bridge there, built from the contract table, and
// nothing else: no event object, no channel of its own, no way to name another one. Bundled to a single file, because a
// sandboxed preload can require nothing but Electron.
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import { buildBridge } from '../../contract/build-bridge.ts';
import type { Answer } from '../../contract/table.ts';

const bridge = buildBridge({
  invoke: (name, argument) =>
    ipcRenderer.invoke(name, argument).catch(
      (fault: Error): Answer<never> => ({
        ok: false,
        error: {
          code: 'link.lost',
          message: `The agent did not answer: ${fault.message}`,
          hint: 'Open the window again.',
        },
      }),
    ),
  listen: (feed, listener) => {
    const hear = (_event: IpcRendererEvent, value: unknown) => listener(value);
    ipcRenderer.on(feed, hear);
    return () => ipcRenderer.off(feed, hear);
  },
});

contextBridge.exposeInMainWorld('epistream', bridge);
