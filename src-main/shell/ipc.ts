// The contract over Electron's IPC, built by walking its table: one channel a call, one a feed, nothing else.
import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { dispatch } from '../contract/dispatch.ts';
import { type Answer, callNames, feedNames } from '../contract/table.ts';
import type { AgentPort } from './agent-port.ts';
import { isPageUrl } from './page-protocol.ts';

const refused: Answer<never> = {
  ok: false,
  error: {
    code: 'call.refused',
    message: 'This call did not come from the page of Epistream.',
    hint: 'Close the window and open it again from the tray.',
  },
};

/**
 * Bind calls and feeds to a window. Takes the agent and the window. A call from any other page, a frame inside the page, or
 * another address is answered as refused and never reaches the agent.
 *
 * @returns the function that ends the feeds.
 */
export function bindContract({ handlers, subscribe, tell }: AgentPort, window: BrowserWindow): () => void {
  for (const name of callNames) {
    ipcMain.handle(name, (event, argument: unknown) => {
      if (isFromPage(event, window)) return dispatch(handlers, name, argument);
      tell(refusalOf(name, event.senderFrame?.url));
      return refused;
    });
  }
  const unsubscribes = feedNames.map((feed) =>
    subscribe(feed, (value) => {
      if (!window.isDestroyed()) window.webContents.send(feed, value);
    }),
  );
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

/** An address can hold anything: it is cut to what a line of the journal takes. */
const refusalOf = (name: string, url = 'a frame that is gone') => ({
  level: 'warning' as const,
  code: 'call.refused',
  message: `Refused ${name} from ${url.slice(0, 200)}: that is not the page of Epistream.`,
  hint: '',
});

function isFromPage({ sender, senderFrame }: IpcMainInvokeEvent, window: BrowserWindow): boolean {
  return sender === window.webContents && senderFrame === sender.mainFrame && isPageUrl(senderFrame?.url);
}
