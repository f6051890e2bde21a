// What a lab knows beside its catalogue: instruments, target materials, projects, tags, results of analyses.
import type { Instrument, TargetLayer, TargetMaterialLayer } from '../../interface/resources.ts';
import type { ParsedRequest } from '../../interface/table.ts';
import { addAudit, type Change } from './audit.ts';
import type { Engine } from './engine.ts';
import { addInstrument, type NewInstrument } from './instruments.ts';
import type { Editor, Owner } from './own.ts';
import { addProject, linkSamples, type NewProject, untag } from './projects.ts';
import { type EntryResults, type ResultKind, readResults } from './results.ts';
import type { Script } from './script.ts';
import { listLayers, updateLayer } from './targets.ts';

export interface Library {
  addInstrument(instrument: NewInstrument, editor: Editor): Promise<Instrument>;
  /** Add a project. Returns its UUID. */
  addProject(project: NewProject, editor: Editor): Promise<string>;
  /** Add samples to a project, or with `isSet` put them in place of all others. Returns all that it then has; Problem 404. */
  linkSamples(projectUuid: string, sampleUuids: readonly string[], isSet: boolean, editor: Editor): Promise<string[]>;
  /** Take tags from entries; Problem 404, and then nothing is changed. */
  untag(dataIds: readonly string[], tagUuids: readonly string[], editor: Editor): Promise<void>;
  /** Results of some entries, in their order; Problem 404. */
  results(kind: ResultKind, dataIds: readonly string[], owner: Owner): Promise<readonly EntryResults[]>;
  listLayers(owner: Owner): Promise<TargetMaterialLayer[]>;
  /** Change what is given of a layer; Problem 404 or 422. */
  updateLayer(change: ParsedRequest<'updateTargetLayer'>, editor: Editor, nowMs: number): Promise<TargetLayer>;
}

/** Open the library. */
export function createLibrary(engine: Engine): Library {
  const { read } = engine;
  /** Change something, and write down who did, where anything is other than before. */
  const write = <T>(editor: Editor, action: string, subject: string, script: () => Script<Change<T>>) =>
    engine.write(function* () {
      const { value, isReal } = yield* script();
      if (isReal) yield* addAudit(editor, action, subject);
      return value;
    });
  /** Add something, and write down who did. */
  const add = <T>(editor: Editor, action: string, subject: string, script: () => Script<T>) =>
    write(editor, action, subject, function* () {
      return { value: yield* script(), isReal: true };
    });
  return {
    addInstrument: (instrument, editor) =>
      add(editor, 'instrument added', instrument.name, () => addInstrument(instrument)),
    addProject: async (project, editor) =>
      (await add(editor, 'project added', project.name, () => addProject(project, editor))).projectUuid,
    linkSamples: (projectUuid, sampleUuids, isSet, editor) => {
      const subject = `${projectUuid}: ${isSet ? 'only' : 'also'} ${sampleUuids.join(', ')}`;
      return write(editor, 'samples of a project changed', subject, () =>
        linkSamples(projectUuid, sampleUuids, isSet, editor),
      );
    },
    untag: (dataIds, tagUuids, editor) =>
      write(editor, 'tags removed', `${tagUuids.join(', ')} from ${dataIds.join(', ')}`, () =>
        untag(engine, dataIds, tagUuids, editor),
      ),
    results: (kind, dataIds, owner) =>
      read(function* () {
        const found: EntryResults[] = [];
        for (const dataId of dataIds) found.push(yield* readResults(kind, dataId, owner));
        return found;
      }),
    listLayers: (owner) => read(() => listLayers(owner)),
    updateLayer: (change, editor, nowMs) =>
      write(editor, 'layer changed', JSON.stringify(change), () => updateLayer(change, editor, nowMs)),
  };
}
