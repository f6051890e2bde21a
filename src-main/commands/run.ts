// `epistream run`: record and deliver, headless or with the screen in a browser.
import { join } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { startPatiently } from '../agent/start-patiently.ts';
import type { Clock } from '../platform/clock.ts';
import { startWebScreen, type WebScreen } from '../web/web-screen.ts';
import { drainAgent } from './drain.ts';
import { EXIT } from './shared/exit.ts';
import { openInBrowser } from './shared/open-in-browser.ts';
import { type Option, readOptions, readPort } from './shared/options.ts';
import { openSessionBook } from './shared/session-book.ts';
import { untilSignal } from './shared/until-signal.ts';
import { startOrExplain, withAgent } from './shared/with-agent.ts';

const OPTIONS = {
  config: { value: 'F', help: 'settings file (default: epistream.yaml in the data folder)' },
  data: { value: 'D', help: 'data folder: queue, embedded service, log (default: one for this user)' },
  ui: { value: 'PORT', help: 'the screen in a browser at this port of this PC (0: any free one)' },
  open: { value: null, help: 'open the browser' },
  'drain-and-exit': { value: null, help: 'read the log folders to their present end, deliver, print receipts, exit' },
} as const satisfies Record<string, Option>;

/**
 * Run until asked to end, or until drained.
 *
 * @returns exit code 0 when stopped or delivered; 3 when a drain could not deliver (held, or 60 s without progress).
 * @throws what is wrong with settings, data folder, port or embedded service; `agent.not-all-stored` when the disk did not take
 *   all that was captured.
 */
export async function run(args: readonly string[], clock: Clock): Promise<number> {
  const read = readOptions('run', 'Record and deliver, with or without a screen.', OPTIONS, args);
  if (!read) return EXIT.done;
  const { config, data, ui, open, 'drain-and-exit': isDrain } = read.values;
  const port = ui === undefined ? null : readPort('ui', ui);
  if (isDrain) return withAgent({ data, config }, { isDrain, clock }, drainAgent);
  const asked = untilSignal();
  return withAgent({ data, config }, { isDrain, clock, ended: asked }, (agent) =>
    port === null ? runHeadless(agent, asked) : runWithScreen(agent, port, open, asked),
  );
}

async function runHeadless(agent: Agent, asked: Promise<string>): Promise<number> {
  await startOrExplain(agent, () => startPatiently(agent, asked));
  await Promise.race([asked, agent.lost]);
  return EXIT.done;
}

async function runWithScreen(agent: Agent, port: number, isOpened: boolean, asked: Promise<string>): Promise<number> {
  const screen = await startWebScreen({
    handlers: agent.handlers,
    subscribe: agent.subscribe,
    openFile: agent.openFile,
    rendererFolder: rendererFolder(),
    port,
    book: openSessionBook(agent.dataFolder),
  });
  try {
    agent.mintLink = screen.mintLink;
    await startPatiently(agent, asked);
    await showLink(screen, isOpened);
    await asked;
    return EXIT.done;
  } finally {
    await screen.stop();
  }
}

async function showLink(screen: WebScreen, isOpened: boolean): Promise<void> {
  const link = screen.mintLink();
  console.log(
    `\n  Epistream's screen, to be opened once in a browser of this PC:\n\n    ${link}\n\n  Ctrl+C ends recording; what is not sent stays here and goes out next time.\n`,
  );
  if (isOpened) await openInBrowser(link);
}

/** Where the built page lies: `dist/renderer`, seen from the source tree as from the bundle in `dist/main`. */
function rendererFolder(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return join(import.meta.dirname, isSource ? '../../dist/renderer' : '../renderer');
}
