// What a person enters for a growth, and what of it goes to the agent.
import type { RunningGrowth } from '../../../src-main/contract/growth.ts';

/** The fields of the form. Of the sample either a known one (`sample`: its name or id) or the name of a new one. */
export interface ChoiceValues {
  readonly name: string;
  readonly sampleIs: 'none' | 'known' | 'new';
  readonly sample: string;
  readonly newSample: string;
  readonly project: string;
}

/** Something that has an id at the service, as far as it is known here. */
export interface KnownThing {
  readonly id: string;
  readonly name: string;
}

/** What is chosen, as the agent takes it. */
export interface Choice {
  readonly name: string;
  readonly sampleId: string | null;
  readonly newSampleName: string | null;
  readonly projectId: string | null;
}

export type ChoiceFaults = Partial<Record<keyof ChoiceValues, string>>;

export const noChoice: ChoiceValues = { name: '', sampleIs: 'none', sample: '', newSample: '', project: '' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID_HINT = 'Not among the known names, and no id. An id looks like 5e0c4a0e-1f2b-4c3d-8e9f-0a1b2c3d4e5f.';

/**
 * Name known things so that each can be told from the others.
 *
 * @returns a label for each, in their order: its name with the beginning of its id, or the whole id.
 */
export function labelsOf(things: readonly KnownThing[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { id, name } of things) {
    const short = name === '' ? id : `${name} (${id.slice(0, 8)})`;
    labels.set(labels.has(short) ? `${name} (${id})` : short, id);
  }
  return labels;
}

/**
 * Find what a person means by a label, a name that only one thing has, or an id.
 *
 * @returns the id; null: none.
 */
function findId(text: string, things: readonly KnownThing[]): string | null {
  const wanted = text.trim();
  const labelled = labelsOf(things).get(wanted);
  if (labelled !== undefined) return labelled;
  const [first, ...others] = things.filter(({ name }) => name === wanted);
  if (first && others.length === 0) return first.id;
  return UUID.test(wanted) ? wanted.toLowerCase() : null;
}

/** Turn what was entered into a choice, or say per field what is wrong. An empty field means none. */
export function toChoice(
  { name, sampleIs, sample, newSample, project }: ChoiceValues,
  samples: readonly KnownThing[],
  projects: readonly KnownThing[],
): { choice: Choice } | { faults: ChoiceFaults } {
  const faults: ChoiceFaults = {};
  const sampleId = sampleIs === 'known' ? findId(sample, samples) : null;
  const projectId = project.trim() === '' ? null : findId(project, projects);
  if (sampleIs === 'known' && sample.trim() === '') faults.sample = 'Enter its name or its id, or choose it later.';
  else if (sampleIs === 'known' && sampleId === null) faults.sample = ID_HINT;
  if (sampleIs === 'new' && newSample.trim() === '') faults.newSample = 'Enter a name for the new sample.';
  if (project.trim() !== '' && projectId === null) faults.project = ID_HINT;
  if (Object.keys(faults).length > 0) return { faults };
  const newSampleName = sampleIs === 'new' ? newSample.trim() : null;
  return { choice: { name: name.trim(), sampleId, newSampleName, projectId } };
}

/** The fields as they stand for a growth that is to be changed. */
export function valuesOf(
  {
    name,
    sampleId,
    newSampleName,
    projectId,
  }: Pick<RunningGrowth, 'name' | 'sampleId' | 'newSampleName' | 'projectId'>,
  samples: readonly KnownThing[],
  projects: readonly KnownThing[],
): ChoiceValues {
  const isNew = newSampleName !== null && sampleId === null;
  return {
    name,
    sampleIs: isNew ? 'new' : sampleId === null ? 'none' : 'known',
    sample: sampleId === null ? '' : labelOf(sampleId, samples),
    newSample: isNew ? newSampleName : '',
    project: projectId === null ? '' : labelOf(projectId, projects),
  };
}

/** The label of an id; the id itself where nothing more is known. */
function labelOf(id: string, things: readonly KnownThing[]): string {
  return [...labelsOf(things)].find(([, known]) => known === id)?.[0] ?? id;
}
