// The whole agent as a process that can be killed, whose time runs faster than the test's: it reads its log folders to the
// end, delivers, prints the receipts and ends. One argument, JSON: FastAgentJob.
import { createAgent } from '../../../src-main/agent/agent.ts';
import { drainAgent } from '../../../src-main/commands/drain.ts';
import { fastClock } from '../fast-clock.ts';

export interface FastAgentJob {
  readonly dataFolder: string;
  readonly settingsFile: string;
  readonly key: string;
  /** How much faster its time runs. */
  readonly speed: number;
}

const { dataFolder, settingsFile, key, speed } = JSON.parse(process.argv[2] ?? '{}') as FastAgentJob;
const agent = createAgent({
  ...{ dataFolder, settingsFile, version: 'test', clock: fastClock(speed), isDrain: true },
  keys: { read: () => key, keep: async () => {} },
});
const code = await drainAgent(agent);
for (const { level, code: what, message } of agent.snapshot.journal)
  if (level !== 'info') console.error(`${what}: ${message}`);
await agent.stop();
process.exit(code);
