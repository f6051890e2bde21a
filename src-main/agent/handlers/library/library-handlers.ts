// What the screen asks of instruments, target materials, projects and samples.
import type { Handlers, Value } from '../../../contract/table.ts';
import { toAgentError } from '../../../model/agent-error.ts';
import type { ServiceLink } from '../../service-link/service-link.ts';
import type { PageQuestions } from '../page-questions.ts';
import { retell } from '../retell.ts';
import { findChoices, type KnownChoices } from './known-choices.ts';
import type { Made, MadeHere, MadeProject } from './made-here.ts';
import { viewLayer, viewTargets } from './target-view.ts';

/** Target materials that are told at most. */
const TARGETS_MAX = 500;

export interface LibraryParts {
  readonly client: ServiceLink['client'];
  /** Which service: what was made at one means nothing at another. */
  readonly mark: string;
  readonly made: MadeHere;
}

/** The calls for the library. `parts` throws while nothing runs. */
export function libraryHandlers(
  parts: () => LibraryParts,
  questions: PageQuestions,
  nowMs: () => number,
): Handlers['library'] {
  return {
    known: ({ ticket }) =>
      questions.ask(ticket, async (signal) => {
        const { client, mark, made } = parts();
        const own = await made.read(mark);
        try {
          const choices = await retell('read', findChoices(client, signal));
          return { ...join(own, choices), problem: '', hint: '' };
        } catch (thrown) {
          // What was made here is known all the same.
          const { message, hint } = toAgentError(thrown);
          const none = { projects: [], samples: [], looked: 0, isWhole: false };
          return { ...join(own, none), problem: message, hint };
        }
      }),
    targets: ({ ticket }) =>
      questions.ask(ticket, async (signal) => {
        const records = await retell('read', parts().client.listTargetMaterials({}, { signal }));
        const targets = viewTargets(records);
        return { targets: targets.slice(0, TARGETS_MAX), left: Math.max(0, targets.length - TARGETS_MAX) };
      }),
    changeLayer: async ({ recordId, sampleId, layerId, ...change }) => {
      const { composition, elements, orientation, spaceGroup, mpId } = change;
      const request = {
        layer_id: layerId,
        ...(sampleId === null ? {} : { sample_id: sampleId }),
        ...(recordId === null ? {} : { id: recordId }),
        composition_string: composition,
        element_dict: elements && Object.fromEntries(elements.map(({ element, amount }) => [element, amount])),
        orientation,
        space_group: spaceGroup,
        mp_id: mpId,
      };
      return viewLayer(await retell('change', parts().client.updateTargetLayer(request)));
    },
    createInstrument: async ({ name, label, type, serialId }) => {
      const { client, mark, made } = parts();
      const request = { name, label, type, ...(serialId === '' ? {} : { serial_id: serialId }) };
      const answer = await retell('change', client.createInstrument(request));
      const instrument = {
        id: answer.synth_source_id,
        name: answer.source_name ?? name,
        label,
        type: answer.synth_source_type ?? type,
        serialId: answer.source_metadata?.serial_identifier ?? (serialId === '' ? null : serialId),
        madeMs: nowMs(),
      };
      const isKept = await made.change(mark, (known) => ({
        ...known,
        instruments: [...known.instruments.filter(({ id }) => id !== instrument.id), instrument],
      }));
      return { instrument, isKept };
    },
    createProject: async ({ name, notes }) => {
      const { client, mark, made } = parts();
      const id = await retell('change', client.createProject({ name, ...(notes === '' ? {} : { notes }) }));
      const project = { id, name, notes, madeMs: nowMs(), sampleIds: [] };
      return { id, isKept: await made.change(mark, (known) => withProject(known, project)) };
    },
    setSamples: async ({ projectId, sampleIds, isReplacing }) => {
      const { client, mark, made } = parts();
      const request = { project_id: projectId, physical_sample_ids: sampleIds, set: isReplacing };
      const now = await retell('change', client.updateProjectSamples(request));
      const isKept = await made.change(mark, (known) => {
        const project = known.projects.find(({ id }) => id === projectId);
        const unknown = { id: projectId, name: '', notes: '', madeMs: null };
        return withProject(known, { ...(project ?? unknown), sampleIds: now });
      });
      return { sampleIds: now, isKept };
    },
  };
}

const withProject = (made: Made, project: MadeProject): Made => ({
  ...made,
  projects: [...made.projects.filter(({ id }) => id !== project.id), project],
});

/** What was made here beside what the catalogue names; a name of the catalogue is the newer one. */
function join(own: Made, choices: KnownChoices): Omit<Value<'library', 'known'>, 'problem' | 'hint'> {
  const named = new Map(choices.projects.map((project) => [project.id, project]));
  const made = own.projects.map((project) => {
    const { name = '', entries = 0 } = named.get(project.id) ?? {};
    named.delete(project.id);
    return { ...project, name: name || project.name, entries };
  });
  const others = [...named.values()].map((project) => ({ ...project, notes: '', madeMs: null, sampleIds: null }));
  return {
    instruments: own.instruments.toReversed(),
    projects: [...made.toReversed(), ...others],
    samples: choices.samples,
    looked: choices.looked,
    isWhole: choices.isWhole,
  };
}
