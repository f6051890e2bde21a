// `epistream check FILE`: what of the settings works on this PC and what does not, without recording or sending.
import { resolve } from 'node:path';
import { checkTool } from '../agent/check/check-tool.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { environmentKeyStore } from '../platform/secrets.ts';
import { readSettings } from '../settings/read-settings.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder that would be used (default: the one of this user)' },
} as const satisfies Record<string, Option>;

const MARKS = { ok: 'ok      ', warning: 'warning ', error: 'FAULT   ' } as const;

/**
 * Check the settings.
 *
 * @returns exit code 0 when nothing is wrong, 1 when something is; every finding is printed with its hint.
 * @throws those of `readSettings`, which name every fault of the file.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('check', 'Say what of the settings works here, without sending.', OPTIONS, args, ['FILE']);
  if (!read) return EXIT.done;
  const file = resolve(requireOption('check', 'FILE', read.words[0]));
  const settings = await readSettings(file);
  const dataFolder = resolve(read.values.data ?? defaultDataFolder());
  const findings = await checkTool(settings, file, dataFolder, environmentKeyStore().read());
  for (const { level, subject, message, hint } of findings) {
    console.log(showControls(`${MARKS[level]}${subject}: ${message}`));
    if (hint !== '') console.log(showControls(`          hint: ${hint}`));
  }
  return findings.some(({ level }) => level === 'error') ? EXIT.fault : EXIT.done;
}
