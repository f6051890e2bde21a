// The real agent in this process with its embedded service, and its screen in a real browser.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Agent, createAgent } from '../../../src-main/agent/agent.ts';
import { sessionKeyStore } from '../../../src-main/platform/secrets.ts';
import { tempFolder } from '../temp-folder.ts';
import { openScreen, type Screen } from './screen.ts';

export interface AgentScreenOptions {
  /** What stands behind `sources:` in the settings; null: a fresh PC. Paths count from the data folder. */
  readonly sources: string | null;
  readonly service?: string;
  /** What stands between the braces of `stream_defaults`. */
  readonly streams?: string;
  readonly key?: string | null;
  /** Absent: a folder of its own. */
  readonly data?: string;
}

export interface AgentScreen extends Screen {
  readonly agent: Agent;
  readonly data: string;
}

/** Start an agent with these sources and open its screen; both end with the test. */
export async function openAgentScreen(options: AgentScreenOptions): Promise<AgentScreen> {
  const { sources, service = 'embedded', streams = 'points_per_chunk: 5', key = null } = options;
  const { data = tempFolder('screen') } = options;
  const settingsFile = join(data, 'epistream.yaml');
  if (sources !== null) {
    writeFileSync(
      settingsFile,
      `# Chamber three.\nversion: 1\nservice: { url: '${service}' }\ntool: { name: MBE-1, time_zone: UTC }\nstream_defaults: { ${streams} }\nsources:${sources}`,
    );
  }
  const agent = createAgent({ dataFolder: data, settingsFile, version: '0.0.0', keys: sessionKeyStore(key) });
  onTestFinished(() => agent.stop());
  await agent.start();
  return { agent, data, ...(await openScreen(agent)) };
}
