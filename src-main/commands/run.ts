// `epistream run`: record and deliver, headless or with the screen in a browser.
import { join, resolve } from 'node:path';
import { type Agent, createAgent } from '../agent/agent.ts';
import { answerQuestion } from '../agent/answer.ts';
import { AgentError } from '../model/agent-error.ts';
import { announceAgent } from '../platform/announce.ts';
import { systemClock } from '../platform/clock.ts';
import { startControlServer } from '../platform/control.ts';
import { defaultDataFolder, openDataFolder } from '../platform/data-folder.ts';
import { outliveBugs } from '../platform/outlive-bugs.ts';
import { environmentKeyStore } from '../platform/secrets.ts';
import { startWebScreen, type WebScreen } from '../web/web-screen.ts';
import { drain, receiptLine } from './drain.ts';
import { EXIT } from './exit.ts';
import { type Option, readOptions, readPort } from './options.ts';
import { printEvents } from './print-events.ts';
import { rendererFolder } from './renderer-folder.ts';
import { untilSignal } from './until-signal.ts';
import { version } from './version.ts';

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
 * **Gives**: exit code 0 when stopped or delivered; 3 when a drain could not deliver (held, or 60 s without progress).
 * **Errors**: what is wrong with settings, data folder, port or embedded service; `agent.not-all-stored` when the disk
 * did not take all that was captured.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('run', 'Record and deliver, with or without a screen.', OPTIONS, args);
  if (!read) return EXIT.done;
  const { config, data, ui, open, 'drain-and-exit': isDrain } = read.values;
  const port = ui === undefined ? null : readPort('ui', ui);
  const folder = await openDataFolder(resolve(data ?? defaultDataFolder()));
  try {
    const agent = createAgent({
      dataFolder: folder.path,
      settingsFile: resolve(config ?? join(folder.path, 'epistream.yaml')),
      version: version(),
      keys: environmentKeyStore(),
      isDrain,
      onEvent: printEvents(),
    });
    outliveBugs((thrown) => agent.noteBug(thrown));
    const control = await startControlServer({ answer: (question) => answerQuestion(agent, question) });
    const withdraw = await announceAgent(folder, control);
    try {
      const code = isDrain ? await runDrain(agent) : await runOn(agent, port, open);
      await agent.stop();
      if (agent.unstored) throw agent.unstored;
      return code;
    } finally {
      await agent.stop();
      await withdraw();
      await control.close();
    }
  } finally {
    await folder.close();
  }
}

function runOn(agent: Agent, port: number | null, isOpened: boolean): Promise<number> {
  return port === null ? runHeadless(agent) : runWithScreen(agent, port, isOpened);
}

async function runHeadless(agent: Agent): Promise<number> {
  const asked = untilSignal();
  await startOrExplain(agent);
  await asked;
  return EXIT.done;
}

/** Without a screen nobody can be led through first settings. */
async function startOrExplain(agent: Agent): Promise<void> {
  await agent.start();
  if (agent.snapshot.phase !== 'first-run') return;
  throw new AgentError({
    code: 'settings.missing',
    message: 'There is no settings file, and no screen to make one.',
    hint: 'Name a file with --config, or add --ui 4310 and follow the first-run page.',
    retry: 'after-human',
  });
}

async function runWithScreen(agent: Agent, port: number, isOpened: boolean): Promise<number> {
  const asked = untilSignal();
  const screen = await startWebScreen({
    handlers: agent.handlers,
    subscribe: agent.subscribe,
    rendererFolder: rendererFolder(),
    port,
  });
  try {
    await agent.start();
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
  if (!isOpened || process.env.BROWSER === 'none') return;
  const { default: openBrowser } = await import('open');
  // A PC without a browser is no fault: the link stands in the terminal.
  await openBrowser(link).then(
    (child) => child.on('error', () => {}),
    () => {},
  );
}

async function runDrain(agent: Agent): Promise<number> {
  await startOrExplain(agent);
  const { pipeline } = agent;
  if (!pipeline) return EXIT.fault;
  const interrupted = untilSignal().then(() => ({
    isDelivered: false as const,
    why: 'Interrupted.',
    hint: 'Run the same command again: it goes on where it stopped.',
  }));
  const outcome = await Promise.race([drain(pipeline, systemClock), interrupted]);
  const { streams } = await pipeline.tally();
  for (const stream of streams.toReversed()) console.log(receiptLine(stream));
  if (outcome.isDelivered) {
    console.log('Everything read was delivered.');
    return EXIT.done;
  }
  console.error(`epistream: not everything was delivered: ${outcome.why}\n  hint: ${outcome.hint}`);
  return EXIT.notDelivered;
}
