// A real agent with its screen in a browser, delivering to an embedded service that holds a catalogue. The service stands
// beside the agent, so that a test can take entries away or stop it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAgent } from '../../../src-main/agent/agent.ts';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { startBenchService } from '../bench/bench-service.ts';
import { fillService } from '../rigs/fill-service.ts';
import { demoFile } from '../rigs/service-world.ts';
import { tempFolder } from '../temp-folder.ts';
import { openScreen, type PageOptions } from './screen.ts';

const KEY = 'key-of-the-catalogue-tests';

export interface CatalogueWorldOptions {
  /** Made entries in the catalogue, besides the demo's; default none. */
  readonly entries?: number;
  /** Content of a further import file. */
  readonly imported?: object;
  /** Who stands between agent and service: takes the service's address, gives the one for the agent. */
  readonly through?: (serviceUrl: string) => Promise<string>;
  /** How the page is opened. */
  readonly page?: PageOptions;
  /** Further sources, one line each. */
  readonly sources?: readonly string[];
}

/**
 * Start service, agent, screen and page.
 *
 * @returns them, `goTo`, which opens a path behind the #.
 */
export async function openCatalogueWorld(options: CatalogueWorldOptions = {}) {
  const { entries = 0, imported, through = async (url: string) => url, sources = [] } = options;
  const folder = tempFolder('catalogue');
  const [serviceFolder, data] = [join(folder, 'service'), join(folder, 'data')];
  for (const made of [serviceFolder, data]) mkdirSync(made);
  const service = await startBenchService({ folder: serviceFolder, key: KEY, bench: {} });
  onTestFinished(() => service.stop());
  const filled = entries > 0 ? await fillService(serviceFolder, entries, 10_000) : null;
  await importFile(serviceFolder, demoFile);
  if (imported) {
    writeFileSync(join(folder, 'more.json'), JSON.stringify(imported));
    await importFile(serviceFolder, join(folder, 'more.json'));
  }
  const settings = `version: 1
service: { url: '${await through(service.url)}', resend: repeat }
tool: { name: MBE-1, time_zone: UTC }
sources:
${['{ id: growth, kind: simulator, seed: 7, interval: 1s }', ...sources].map((line) => `  - ${line}\n`).join('')}`;
  writeFileSync(join(data, 'epistream.yaml'), settings);
  const agent = createAgent({
    dataFolder: data,
    settingsFile: join(data, 'epistream.yaml'),
    version: '1.2.3',
    keys: { read: () => KEY, keep: async () => undefined },
  });
  onTestFinished(() => agent.stop());
  await agent.start();
  const { page, problems, go: goTo } = await openScreen(agent, options.page);
  return { folder, service, filled, agent, page, problems, goTo, key: KEY };
}
