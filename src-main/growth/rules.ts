// What becomes of a growth when something is done to it. Pure: values in, values out; the caller keeps them.
import { refuse } from '../model/agent-error.ts';
import { type Growth, type GrowthChoice, lastPart } from '../model/growth.ts';

/** What a person gives; absent: as it is, or nothing. */
export type ChoiceGiven = { readonly [K in keyof GrowthChoice]?: GrowthChoice[K] | undefined };

const NOTHING_CHOSEN: GrowthChoice = { name: '', sampleId: null, newSampleName: null, projectId: null };

/**
 * Put what was given over what was chosen.
 *
 * @param before - the choice so far.
 * @param choiceGiven - what was given.
 * @param rheedSources - the sources of kind rheed.
 * @returns the choice, whole. A sample that is given takes the place of the one before, by whichever of the two fields.
 * @throws `growth.sample-twice`; `growth.sample-needs-rheed` for a new sample where no RHEED session can make it.
 */
export function choose(
  before: GrowthChoice,
  { name, sampleId, newSampleName, projectId }: ChoiceGiven,
  rheedSources: readonly string[],
): GrowthChoice {
  if (sampleId != null && newSampleName != null) {
    throw refuse(
      'growth.sample-twice',
      `A sample was chosen (${sampleId}) and another is to be made ("${newSampleName}").`,
      'Give one of the two.',
    );
  }
  const wanted = newSampleName?.trim() ?? null;
  if (wanted === '') {
    throw refuse('growth.sample-name', 'The name of the new sample is empty.', 'Give a name, or choose no sample.');
  }
  if (wanted !== null && rheedSources.length === 0) {
    throw refuse(
      'growth.sample-needs-rheed',
      `The sample "${wanted}" cannot be made: only the start of a RHEED session makes one, and no source here is of kind rheed.`,
      'Choose a sample that the service knows, or begin without one and choose it later.',
    );
  }
  const isSampleGiven = sampleId !== undefined || newSampleName !== undefined;
  return {
    name: name === undefined ? before.name : name.trim(),
    ...(isSampleGiven
      ? { sampleId: sampleId ?? null, newSampleName: wanted }
      : { sampleId: before.sampleId, newSampleName: before.newSampleName }),
    projectId: projectId === undefined ? before.projectId : projectId,
  };
}

/** How a growth begins. */
export interface GrowthBegin {
  readonly id: string;
  /** Id of its first part. */
  readonly partId: string;
  readonly atMs: number;
  readonly cause: string;
  /** Name in the file that began it; null: none did. */
  readonly fileName: string | null;
}

/**
 * Begin a growth.
 *
 * @throws those of `choose`.
 */
export function beginGrowth(
  { id, partId, atMs, cause, fileName }: GrowthBegin,
  given: ChoiceGiven,
  rheedSources: readonly string[],
): Growth {
  const chosen = choose(NOTHING_CHOSEN, given, rheedSources);
  return {
    id,
    startedMs: atMs,
    startCause: cause,
    endedMs: null,
    endCause: '',
    fileName,
    parts: [{ id: partId, fromMs: atMs, toMs: null, ...chosen }],
    restarts: [],
  };
}

/** End a growth. What was asked about a restart is settled by that. */
export function endGrowth(growth: Growth, atMs: number, cause: string): Growth {
  const parts = growth.parts.map((part) =>
    part.toMs === null ? { ...part, toMs: Math.max(part.fromMs, atMs) } : part,
  );
  return { ...growth, endedMs: Math.max(growth.startedMs, atMs), endCause: cause, parts };
}

/**
 * Change what the last part carries, where nothing of it was sent.
 *
 * @throws those of `choose`.
 */
export function changeInPlace(growth: Growth, given: ChoiceGiven, rheedSources: readonly string[]): Growth {
  const part = lastPart(growth);
  const changed = { ...part, ...choose(part, given, rheedSources) };
  return { ...growth, parts: [...growth.parts.slice(0, -1), changed] };
}

/**
 * End the last part and begin another, which carries the change.
 *
 * @throws those of `choose`.
 */
export function changeFromNow(
  growth: Growth,
  given: ChoiceGiven,
  rheedSources: readonly string[],
  { partId, atMs }: { readonly partId: string; readonly atMs: number },
): Growth {
  const part = lastPart(growth);
  const fromMs = Math.max(part.fromMs, atMs);
  const next = { id: partId, fromMs, toMs: null, ...choose(part, given, rheedSources) };
  return { ...growth, parts: [...growth.parts.slice(0, -1), { ...part, toMs: fromMs }, next] };
}

/** The sample of a name was made, or was found: every part that waits for it has its id. The same growth when none does. */
export function settleSample(growth: Growth, newSampleName: string, sampleId: string): Growth {
  const waits = growth.parts.some((part) => part.newSampleName === newSampleName && part.sampleId === null);
  if (!waits) return growth;
  const parts = growth.parts.map((part) =>
    part.newSampleName === newSampleName && part.sampleId === null ? { ...part, sampleId } : part,
  );
  return { ...growth, parts };
}

/** The restart that nobody has answered yet; null: none. */
export function openQuestion(growth: Growth): Growth['restarts'][number] | null {
  const last = growth.restarts.at(-1);
  return growth.endedMs === null && last && last.answer === null ? last : null;
}

/** The agent was restarted while the growth ran. A question that is open is not asked a second time. */
export function askAfterRestart(growth: Growth, atMs: number): Growth {
  if (growth.endedMs !== null || openQuestion(growth)) return growth;
  return { ...growth, restarts: [...growth.restarts, { atMs, answer: null, answeredMs: null }] };
}

/**
 * Keep the answer.
 *
 * @throws `growth.nothing-asked`.
 */
export function answerRestart(growth: Growth, answer: 'continue' | 'new', atMs: number): Growth {
  const asked = openQuestion(growth);
  if (!asked) {
    throw refuse(
      'growth.nothing-asked',
      'Nothing is asked about this growth.',
      'It was answered already, or it ended.',
    );
  }
  return { ...growth, restarts: [...growth.restarts.slice(0, -1), { ...asked, answer, answeredMs: atMs }] };
}
