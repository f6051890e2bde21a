import { join, resolve } from 'node:path';
import { type Agent, type AgentOptions, createAgent } from '../../agent/agent.ts';
import { showControls } from '../../delivery/receipt/receipt-words.ts';
import { AgentError } from '../../model/agent-error.ts';
import { announceAgent } from '../../platform/announce.ts';
import { startControlServer } from '../../platform/control.ts';
import { defaultDataFolder, openDataFolder } from '../../platform/data-folder.ts';
import { handleUncaught } from '../../platform/handle-uncaught.ts';
import { environmentKeyStore, takeMailPassword } from '../../platform/secrets.ts';
import { StayAwake } from '../../platform/stay-awake.ts';
import { TRY_EVERY_S, tryPatiently } from '../../platform/try-patiently.ts';
import { version } from './version.ts';

export interface AgentPlace {
  /** Data folder; absent: the one of this user. */
  readonly data: string | undefined;
  /** Settings file; absent: the one in the data folder. */
  readonly config: string | undefined;
}

/** Where settings and data lie, whole. */
export function placeOf({ data, config }: AgentPlace): { folder: string; settingsFile: string } {
  const folder = resolve(data ?? defaultDataFolder());
  return { folder, settingsFile: resolve(config ?? join(folder, 'epistream.yaml')) };
}

export interface WithAgentOptions extends Pick<AgentOptions, 'isDrain' | 'clock'> {
  /** A data folder whose disk is full or does not answer is waited for until this; absent: it is not. */
  readonly ended?: Promise<unknown>;
}

const mayPass = ({ retry }: AgentError) => retry === 'later';

/** There is no journal yet to be told. */
function tellWait({ message }: AgentError): void {
  console.error(`epistream: recording has not started: ${message} It is tried again every ${TRY_EVERY_S} s.`);
}

/**
 * Hold a data folder and an agent in it while something is done; other commands can ask the agent meanwhile. Takes where,
 * what the agent is to be, and what is done with it (it is not started yet).
 *
 * @returns the exit code.
 * @throws those of the data folder and of `work`; `agent.not-all-stored` when the disk did not take all that was captured;
 *   `store.replaced` when another file took the place of the queue; `store.removed` when what it held is lost.
 */
export async function withAgent(
  place: AgentPlace,
  { ended, ...options }: WithAgentOptions,
  work: (agent: Agent) => Promise<number>,
): Promise<number> {
  const { folder: path, settingsFile } = placeOf(place);
  const open = () => openDataFolder(path);
  const folder = await (ended === undefined ? open() : tryPatiently(open, mayPass, tellWait, ended));
  try {
    const common = { settingsFile, version: version(), onEvent: printEvents() };
    const awake = new StayAwake({ onChange: () => agent.tell() });
    const agent: Agent = createAgent({
      dataFolder: folder.path,
      ...common,
      ...options,
      keys: environmentKeyStore(),
      mailPassword: takeMailPassword(),
      awake,
    });
    handleUncaught((thrown) => agent.noteBug(thrown));
    const control = await startControlServer({ answer: agent.answer });
    const withdraw = await announceAgent(folder, control);
    try {
      const code = await work(agent);
      await agent.stop();
      const fault = agent.unstored ?? agent.lostBy;
      if (fault) throw fault;
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

/**
 * Start an agent. Without a screen nobody can be led through first settings. Takes the agent, and how it is started.
 *
 * @throws `settings.missing`; those of the start.
 */
export async function startOrExplain(agent: Agent, start = () => agent.start()): Promise<void> {
  await start();
  if (agent.snapshot.phase !== 'first-run') return;
  throw new AgentError({
    code: 'settings.missing',
    message: 'There is no settings file, and no screen to make one.',
    hint: 'Name a file with --config, or add --ui 4310 and follow the first-run page.',
    retry: 'after-human',
  });
}

/** Print each event of the journal as a line: time, level where it is not plain, message, and the hint below it. */
function printEvents(): NonNullable<AgentOptions['onEvent']> {
  // The reader may go (a closed terminal, `| head`): recording goes on, and the log has every line.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return ({ atMs, level, message, hint }) => {
    const time = new Date(atMs).toISOString();
    const mark = level === 'info' ? '' : `${level}: `;
    console.log(`${time}  ${mark}${showControls(message)}`);
    if (hint !== '') console.log(`${' '.repeat(26)}hint: ${showControls(hint)}`);
  };
}
