// `epistream growth`: begin, end, change and show growths of a running agent, and write notes.
import { resolve } from 'node:path';
import { z } from 'zod';
import type { CommandCall } from '../agent/handlers/command-calls.ts';
import { GrowthView } from '../contract/growth.ts';
import { instant, showControls } from '../delivery/receipt/receipt-words.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { askRunning } from './shared/ask-running.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption, usageError } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  name: { value: 'NAME', help: 'name of the growth' },
  sample: { value: 'ID', help: 'a sample that the service knows, by its UUID' },
  'new-sample': { value: 'NAME', help: 'a sample that is made with the RHEED session' },
  project: { value: 'ID', help: 'project, by its UUID' },
  text: { value: 'TEXT', help: 'what the note says' },
  growth: {
    value: 'ID',
    help: 'show, change: one that ended, by the id that start tells (default: the one that runs)',
  },
  'new-streams': { value: null, help: 'change: end what is open where only new streams can carry it' },
  json: { value: null, help: 'as JSON' },
} as const satisfies Record<string, Option>;

type Values = NonNullable<ReturnType<typeof readOptions<typeof OPTIONS>>>['values'];

const Changed = z.object({ carriedBy: z.enum(['same-streams', 'new-streams']), growth: GrowthView });
const Noted = z.object({ timeMs: z.number() });

const wrong = (message: string) => usageError('growth', message);

/** Only what was given: what is absent stays as it is. An empty text takes a choice back. */
function chosen(values: Values) {
  const given = (text: string | undefined) => (text === '' ? null : text);
  const choice = {
    name: values.name,
    sampleId: given(values.sample),
    newSampleName: given(values['new-sample']),
    projectId: given(values.project),
  };
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

function questionOf(verb: string, values: Values): CommandCall {
  const growthId = values.growth ?? null;
  switch (verb) {
    case 'start':
      return { call: 'growth.start', argument: chosen(values) };
    case 'change':
      return { call: 'growth.change', argument: { ...chosen(values), growthId, mayOpenNew: values['new-streams'] } };
    case 'end':
      return { call: 'growth.end', argument: null };
    case 'note':
      return { call: 'growth.note', argument: { text: requireOption('growth', 'text', values.text) } };
    case 'continue':
      return { call: 'growth.answer', argument: { answer: 'continue' } };
    case 'show':
      return { call: 'growth.read', argument: { growthId } };
    default:
      throw wrong(verb === '' ? 'say what: start, change, end, note, continue or show.' : `there is no "${verb}".`);
  }
}

/**
 * Ask a running agent about its growth.
 *
 * @returns exit code 0.
 * @throws `cli.usage`; `growth.no-agent` when none runs; those of the growths.
 */
export async function run(args: readonly string[]): Promise<number> {
  const summary = 'start | change | end | note | continue | show: the growth of a running agent.';
  const read = readOptions('growth', summary, OPTIONS, args, ['VERB']);
  if (!read) return EXIT.done;
  const { values, words } = read;
  const question = questionOf(words[0] ?? '', values);
  const folder = resolve(values.data ?? defaultDataFolder());
  const answer = await askRunning('growth', folder, question);
  if (values.json) console.log(JSON.stringify(answer, null, 1));
  else for (const line of linesOf(question, answer)) console.log(showControls(line));
  return EXIT.done;
}

function linesOf(question: CommandCall, answer: unknown): string[] {
  const growthId = question.call === 'growth.read' ? question.argument.growthId : null;
  if (question.call === 'growth.note') return [`Noted at ${instant(Noted.parse(answer).timeMs)}.`];
  if (question.call === 'growth.change') {
    const { carriedBy, growth } = Changed.parse(answer);
    const how =
      carriedBy === 'same-streams' ? 'The streams that are open carry it.' : 'New streams carry it from now on.';
    return [how, ...describe(growth)];
  }
  const growth = GrowthView.nullable().parse(answer);
  if (growth) return describe(growth);
  return [growthId == null ? 'No growth is under way.' : `There is no growth ${growthId}.`];
}

function describe(growth: GrowthView): string[] {
  const { id, name, startedMs, endedMs, sampleId, newSampleName, projectId, parts, waits, problems, notes } = growth;
  const title = name === '' ? 'Growth without a name' : `Growth "${name}"`;
  const sample = newSampleName !== null ? `"${newSampleName}" (${sampleId ?? 'no id yet'})` : (sampleId ?? 'none');
  const asks = growth.state === 'asks' ? ['The agent was restarted during it: "continue", or "end" and "start".'] : [];
  const streams = parts.flatMap((part) => part.streams);
  return [
    `${title} (${id}), began ${instant(startedMs)}${endedMs === null ? '' : `, ended ${instant(endedMs)}`}`,
    `  sample ${sample}, project ${projectId ?? 'none'}`,
    ...asks.map((line) => `  ${line}`),
    ...[...waits, ...problems].map(({ message, hint }) => `  ${message}${hint === '' ? '' : ` ${hint}`}`),
    ...streams.map(({ id, sourceId, points, pointsAcknowledged }) => {
      return `  stream ${id} of ${sourceId}: ${points} points, ${pointsAcknowledged} acknowledged`;
    }),
    ...parts.flatMap(({ rheed }) =>
      rheed.map(({ name, problem }) => `  RHEED session ${name}${problem && `: ${problem}`}`),
    ),
    ...notes.map(({ timeMs, text }) => `  ${instant(timeMs)} ${text}`),
  ];
}
