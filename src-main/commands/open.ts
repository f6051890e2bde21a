// `epistream open`: a fresh link to the screen of the agent that runs, for a person who closed the page or restarted the agent.
import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { askRunning } from './shared/ask-running.ts';
import { EXIT } from './shared/exit.ts';
import { openInBrowser } from './shared/open-in-browser.ts';
import { type Option, readOptions } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
} as const satisfies Record<string, Option>;

/**
 * Print a link that opens the screen once, and open it in the browser.
 *
 * @returns exit code 0.
 * @throws `open.no-agent` when none runs there; `agent.no-screen`.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('open', 'Open the screen of the agent that runs, by a fresh link.', OPTIONS, args);
  if (!read) return EXIT.done;
  const folder = resolve(read.values.data ?? defaultDataFolder());
  const link = z.string().parse(await askRunning('open', folder, { ask: 'screen-link' }));
  console.log(link);
  await openInBrowser(link);
  return EXIT.done;
}
