// The real agent in this process with its embedded service, and its screen in a real browser.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { type Agent, createAgent } from '../../src-main/agent/agent.ts';
import { sessionKeyStore } from '../../src-main/platform/secrets.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { goToHash, openPage } from './browser.ts';
import { tempFolder } from './temp-folder.ts';

const rendererFolder = join(import.meta.dirname, '../../dist/renderer');

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

export interface AgentScreen {
  readonly agent: Agent;
  readonly page: Page;
  /** What went wrong on the page. */
  readonly problems: string[];
  readonly data: string;
  /** Go to a page by what stands behind the #. */
  readonly go: (path: string) => Promise<void>;
}

/** Start an agent with these sources and open its screen; both end with the test. */
export async function openAgentScreen(browser: Browser, options: AgentScreenOptions): Promise<AgentScreen> {
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
  await agent.start();
  const { handlers, subscribe } = agent;
  const web = await startWebScreen({ handlers, subscribe, rendererFolder, port: 0, announce: () => undefined });
  const { page, problems } = await openPage(browser, web.mintLink());
  onTestFinished(async () => {
    await page.context().close();
    await web.stop();
    await agent.stop();
  });
  const go = (path: string) => goToHash(page, path);
  return { agent, page, problems, data, go };
}
