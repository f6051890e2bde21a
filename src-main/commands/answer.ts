// `epistream answer`: the log files of a running agent that wait for a person, and what a person says about them.
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { CommandCall } from '../agent/handlers/command-calls.ts';
import { calls } from '../contract/table.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { askRunning } from './shared/ask-running.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption, usageError } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  source: { value: 'S', help: 'source of the file (default: the only one that has a file of this name waiting)' },
  file: { value: 'F', help: 'accept, leave-out, take-in, look: the file, by its path below the folder of the source' },
  json: { value: null, help: 'as JSON' },
} as const satisfies Record<string, Option>;

const VERBS = ['list', 'look', 'accept', 'leave-out', 'take-in'] as const;
type Verb = (typeof VERBS)[number];

const Held = calls.heldSource.list.value;
const Sides = calls.heldSource.look.value;

const wrong = (message: string) => usageError('answer', message);
const ask = (folder: string, question: CommandCall) => askRunning('answer', folder, question);

async function listHeld(folder: string): Promise<z.infer<typeof Held>> {
  return Held.parse(await ask(folder, { call: 'heldSource.list', argument: null }));
}

/**
 * The source whose file is meant.
 *
 * @throws `cli.usage` when several have such a file, or none.
 */
async function sourceOf(folder: string, file: string): Promise<string> {
  const sources = (await listHeld(folder)).flatMap((held) => (held.file === file ? [held.sourceId] : []));
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only;
  const several = `name the source with --source: ${sources.join(', ')}.`;
  throw wrong(sources.length === 0 ? `no file "${file}" waits; "epistream answer list" shows those that do.` : several);
}

/**
 * List the files that wait, look at one, or answer.
 *
 * @returns exit code 0.
 * @throws `cli.usage`; `answer.no-agent` when none runs; those of the call.
 */
export async function run(args: readonly string[]): Promise<number> {
  const summary = `${VERBS.join(' | ')}: log files of a running agent that wait for a person.`;
  const read = readOptions('answer', summary, OPTIONS, args, ['VERB']);
  if (!read) return EXIT.done;
  const { values, words } = read;
  const verb = VERBS.find((one) => one === (words[0] ?? 'list'));
  if (verb === undefined) throw wrong(`there is no "${words[0]}": ${VERBS.join(', ')}.`);
  const folder = resolve(values.data ?? defaultDataFolder());
  if (verb === 'list') {
    const held = await listHeld(folder);
    const lines = held.map(({ sourceId, file, message, hint }) => `${sourceId}  ${file}\n  ${message}\n  ${hint}`);
    print(values.json ? JSON.stringify(held, null, 1) : lines.join('\n') || 'No file needs a decision.');
    return EXIT.done;
  }
  const file = requireOption('answer', 'file', values.file);
  const sourceId = values.source ?? (await sourceOf(folder, file));
  print(await answerFor(verb, folder, { sourceId, file }, values.json));
  return EXIT.done;
}

async function answerFor(
  verb: Exclude<Verb, 'list'>,
  folder: string,
  which: { readonly sourceId: string; readonly file: string },
  isJson: boolean,
): Promise<string> {
  if (verb === 'look') {
    const sides = Sides.parse(await ask(folder, { call: 'heldSource.look', argument: which }));
    return isJson ? JSON.stringify(sides, null, 1) : describe(sides);
  }
  await ask(folder, { call: 'heldSource.answer', argument: { ...which, choice: { answer: verb } } });
  return `${which.file}: ${verb}.`;
}

function describe({ message, formerColumns, newColumns, nextLines, problem }: z.infer<typeof Sides>): string {
  const named = (columns: typeof newColumns) => columns.map(({ header, name }) => header || name).join(', ') || 'none';
  return [
    message,
    `  columns before: ${named(formerColumns)}`,
    `  columns from there on: ${problem === '' ? named(newColumns) : problem}`,
    ...nextLines.map((line) => `  | ${line}`),
  ].join('\n');
}

function print(text: string): void {
  for (const line of text.split('\n')) console.log(showControls(line));
}
