// What a lab knows beside its catalogue: instruments, target materials, projects, tags, results of analyses.
import type { Instrument, TargetLayer, TargetMaterialLayer } from '../../interface/resources.ts';
import type { ParsedRequest } from '../../interface/table.ts';
import type { Engine } from './engine.ts';
import { addInstrument, type NewInstrument } from './instruments.ts';
import type { Owner } from './own.ts';
import { addProject, linkSamples, type NewProject, untag } from './projects.ts';
import { type EntryResults, type ResultKind, readResults } from './results.ts';
import { listLayers, updateLayer } from './targets.ts';

export interface Library {
  addInstrument(instrument: NewInstrument): Promise<Instrument>;
  /** Add a project. Returns its UUID. */
  addProject(project: NewProject, owner: Owner): Promise<string>;
  /** Add samples to a project, or with `isSet` put them in place of all others. Returns all that it then has; Problem 404. */
  linkSamples(projectUuid: string, sampleUuids: readonly string[], isSet: boolean, owner: Owner): Promise<string[]>;
  /** Take tags from entries; Problem 404, and then nothing is changed. */
  untag(dataIds: readonly string[], tagUuids: readonly string[], owner: Owner): Promise<void>;
  /** Results of some entries, in their order; Problem 404. */
  results(kind: ResultKind, dataIds: readonly string[], owner: Owner): Promise<readonly EntryResults[]>;
  listLayers(owner: Owner): Promise<TargetMaterialLayer[]>;
  /** Change what is given of a layer; Problem 404 or 422. */
  updateLayer(change: ParsedRequest<'updateTargetLayer'>, owner: Owner, nowMs: number): Promise<TargetLayer>;
}

/** Open the library. */
export function createLibrary(engine: Engine): Library {
  const { read, write } = engine;
  return {
    addInstrument: (instrument) => write(() => addInstrument(instrument)),
    addProject: async (project, owner) => (await write(() => addProject(project, owner))).projectUuid,
    linkSamples: (projectUuid, sampleUuids, isSet, owner) =>
      write(() => linkSamples(projectUuid, sampleUuids, isSet, owner)),
    untag: (dataIds, tagUuids, owner) => write(() => untag(engine, dataIds, tagUuids, owner)),
    results: (kind, dataIds, owner) =>
      read(function* () {
        const found: EntryResults[] = [];
        for (const dataId of dataIds) found.push(yield* readResults(kind, dataId, owner));
        return found;
      }),
    listLayers: (owner) => read(() => listLayers(owner)),
    updateLayer: (change, owner, nowMs) => write(() => updateLayer(change, owner, nowMs)),
  };
}
