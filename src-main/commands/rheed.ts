// `epistream rheed`: start, end, show and retry RHEED sessions of a running agent.

import { resolve } from 'node:path';
import { z } from 'zod';
import type { CommandCall } from '../agent/handlers/command-calls.ts';
import { RheedSessionView } from '../contract/rheed.ts';
import { instant, showControls } from '../delivery/receipt/receipt-words.ts';
import { formatCount } from '../model/format.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { askRunning } from './shared/ask-running.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption, usageError } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  source: { value: 'S', help: 'source of kind rheed (default: the only one)' },
  sample: { value: 'ID', help: 'start: a sample that the service knows, by its UUID' },
  'new-sample': { value: 'NAME', help: 'start: a sample that is made with the session' },
  project: { value: 'ID', help: 'start: project, by its UUID' },
  session: { value: 'NONCE', help: 'retry: the session, by the word in its name' },
  json: { value: null, help: 'as JSON' },
} as const satisfies Record<string, Option>;

type Values = NonNullable<ReturnType<typeof readOptions<typeof OPTIONS>>>['values'];
type Session = z.infer<typeof RheedSessionView>;

const Snapshot = z.object({ sources: z.array(z.object({ id: z.string(), kind: z.string() })) });

const wrong = (message: string) => usageError('rheed', message);

const ask = (folder: string, question: CommandCall | { ask: 'status' }) => askRunning('rheed', folder, question);

/**
 * The source that is meant.
 *
 * @throws `cli.usage` when there are several, or none.
 */
async function sourceOf({ source }: Values, folder: string): Promise<string> {
  if (source !== undefined && source !== '') return source;
  const { sources } = Snapshot.parse(await ask(folder, { ask: 'status' }));
  const counters = sources.flatMap(({ id, kind }) => (kind === 'rheed' ? [id] : []));
  const [only] = counters;
  if (counters.length === 1 && only !== undefined) return only;
  throw wrong(
    counters.length === 0 ? 'no source of kind rheed is recorded.' : `name one with --source: ${counters.join(', ')}.`,
  );
}

async function questionOf(verb: string, values: Values, folder: string): Promise<CommandCall> {
  switch (verb) {
    case 'start': {
      const { sample: sampleId, 'new-sample': newSampleName, project: projectId } = values;
      const choice = Object.entries({ sampleId, newSampleName, projectId }).filter(([, value]) => value !== undefined);
      return {
        call: 'rheed.start',
        argument: { sourceId: await sourceOf(values, folder), ...Object.fromEntries(choice) },
      };
    }
    case 'end':
      return { call: 'rheed.end', argument: { sourceId: await sourceOf(values, folder) } };
    case 'show':
      return { call: 'rheed.listSessions', argument: null };
    case 'retry':
      return { call: 'rheed.retry', argument: { nonce: requireOption('rheed', 'session', values.session) } };
    default:
      throw wrong(verb === '' ? 'say what: start, end, show or retry.' : `there is no "${verb}".`);
  }
}

/**
 * Ask a running agent about its RHEED sessions.
 *
 * @returns exit code 0.
 * @throws `cli.usage`; `rheed.no-agent` when none runs; those of the sessions.
 */
export async function run(args: readonly string[]): Promise<number> {
  const summary = 'start | end | show | retry: the RHEED sessions of a running agent.';
  const read = readOptions('rheed', summary, OPTIONS, args, ['VERB']);
  if (!read) return EXIT.done;
  const { values, words } = read;
  const folder = resolve(values.data ?? defaultDataFolder());
  const question = await questionOf(words[0] ?? '', values, folder);
  const answer = await ask(folder, question);
  if (values.json) console.log(JSON.stringify(answer, null, 1));
  else for (const line of linesOf(question, answer)) console.log(showControls(line));
  return EXIT.done;
}

function linesOf({ call }: CommandCall, answer: unknown): string[] {
  if (call !== 'rheed.listSessions') {
    const session = RheedSessionView.nullable().parse(answer);
    return session ? describe(session) : ['No RHEED session is under way.'];
  }
  const sessions = z.array(RheedSessionView).parse(answer);
  return sessions.length === 0 ? ['There is no RHEED session yet.'] : sessions.flatMap(describe);
}

function describe(session: Session): string[] {
  const { nonce, name, sourceId, startedMs, endedMs, endCause, fps, frames, dataId, isStartSent } = session;
  const { sampleId, newSampleName, projectId, rotation, differences, problem, hint } = session;
  const ended = endedMs === null ? 'runs' : `ended ${instant(endedMs)} (${endCause})`;
  const counted = frames === null ? '' : `, ${formatCount(frames)} frames`;
  const rate = fps === null ? 'rate still being measured' : `${fps} frames per second`;
  const sample = newSampleName === null ? (sampleId ?? 'none') : `"${newSampleName}" (${sampleId ?? 'no id yet'})`;
  const at = dataId === null ? (isStartSent ? 'its start was sent' : 'not sent yet') : `entry ${dataId}`;
  return [
    `Session ${nonce} of ${sourceId}, began ${instant(startedMs)}, ${ended}${counted}`,
    `  ${name}`,
    `  ${rate}; sample ${sample}, project ${projectId ?? 'none'}; ${at}`,
    ...(rotation === null || rotation.text === '' ? [] : [`  ${rotation.text}`]),
    ...differences.map((difference) => `  differs: ${difference}`),
    ...(problem === '' ? [] : [`  waits: ${problem} ${hint}`]),
  ];
}
