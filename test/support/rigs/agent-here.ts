// The whole agent in the process of the test, found and asked by commands as one that runs elsewhere: without a process and
// with a clock of the test. Where it is killed, or its signals and exit codes are the point, tests use agent-process.ts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Agent, createAgent } from '../../../src-main/agent/agent.ts';
import { announceAgent } from '../../../src-main/platform/announce.ts';
import { type Clock, systemClock } from '../../../src-main/platform/clock.ts';
import { startControlServer } from '../../../src-main/platform/control.ts';
import { openDataFolder } from '../../../src-main/platform/data-folder.ts';
import { sessionKeyStore } from '../../../src-main/platform/secrets.ts';

interface AgentHere {
  readonly agent: Agent;
  /** Fulfilled once the journal has told something that matches. */
  told(pattern: RegExp): Promise<void>;
  /** End it in order, and let go of its data folder. */
  stop(): Promise<void>;
}

interface AgentHereOptions {
  /** Settings file. */
  readonly config: string;
  /** Data folder. */
  readonly data: string;
  readonly key?: string;
  readonly clock?: Clock;
}

/** An agent in its data folder, not started, that no command finds; it ends with the test. */
export function makeAgent(dataFolder: string, options: Partial<Parameters<typeof createAgent>[0]> = {}): Agent {
  const keys = sessionKeyStore();
  const settingsFile = join(dataFolder, 'epistream.yaml');
  const agent = createAgent({ dataFolder, settingsFile, version: 'test', keys, ...options });
  onTestFinished(() => agent.stop());
  return agent;
}

/** Start an agent that records; it ends with the test at the latest. */
export async function startHere({ config, data, key, clock = systemClock }: AgentHereOptions): Promise<AgentHere> {
  mkdirSync(data, { recursive: true });
  const folder = await openDataFolder(data);
  const lines: string[] = [];
  const agent = createAgent({
    ...{ dataFolder: folder.path, settingsFile: config, version: 'test', clock },
    keys: { read: () => key ?? null, keep: async () => undefined },
    onEvent: ({ message, hint }) => void lines.push(message, hint),
  });
  const control = await startControlServer({ answer: agent.answer });
  const withdraw = await announceAgent(folder, control);
  let ended: Promise<void> | undefined;
  const end = async () => {
    await agent.stop();
    await withdraw();
    await control.close();
    await folder.close();
  };
  const stop = () => {
    ended ??= end();
    return ended;
  };
  onTestFinished(stop);
  await agent.start();
  return { agent, stop, told: (pattern) => expect.poll(() => lines.join('\n')).toMatch(pattern) };
}
