// 4.7, 4.10, 4.11: results of measurements that were analysed elsewhere.
import type { OpticalFrames, SimsProfile, XpsResult } from '../../interface/resources.ts';
import { notFound } from '../requests/problem.ts';
import type { Owner } from '../storage/own.ts';
import type { ResultKind } from '../storage/results.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve optical frames, XPS and SIMS. */
export function serveAnalysis({
  storage: { library, accesses },
}: ServiceParts): Pick<Handlers, 'readOpticalFrames' | 'readXps' | 'readSims'> {
  /** All results of a kind; with `what` at least one must be there. */
  const read = async (kind: ResultKind, dataId: string, caller: Owner, what?: string) => {
    const [found] = await library.results(kind, [dataId], caller);
    if (what !== undefined && !found?.bodies[0]) throw notFound(`${what} for the data entry`, dataId);
    accesses.note(found?.entryId ?? 0);
    return found?.bodies ?? [];
  };
  return {
    async readOpticalFrames({ data_id }, caller) {
      const [frames] = await read('optical', data_id, caller, 'optical video');
      return { ...(frames as OpticalFrames), video_uuid: data_id };
    },

    async readXps({ data_id }, caller) {
      const [result] = await read('xps', data_id, caller, 'XPS result');
      return { ...(result as XpsResult), data_id };
    },

    async readSims({ data_id }, caller) {
      const profiles = await read('sims', data_id, caller);
      return profiles.map((profile) => ({ ...(profile as SimsProfile), data_id }));
    },
  };
}
