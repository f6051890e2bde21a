// 4.7, 4.10, 4.11: results of measurements that were analysed elsewhere.
import type { OpticalFrames, SimsProfile, XpsResult } from '../../interface/resources.ts';
import { notFound } from '../requests/problem.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve optical frames, XPS and SIMS. */
export function serveAnalysis({
  own,
  results,
  accesses,
}: ServiceParts): Pick<Handlers, 'readOpticalFrames' | 'readXps' | 'readSims'> {
  return {
    readOpticalFrames({ data_id }, caller) {
      const id = own.entry(data_id, caller);
      const [frames] = results.read(id, 'optical');
      if (!frames) throw notFound('optical video for the data entry', data_id);
      accesses.note(id);
      return { ...(frames as OpticalFrames), video_uuid: data_id };
    },

    readXps({ data_id }, caller) {
      const id = own.entry(data_id, caller);
      const [result] = results.read(id, 'xps');
      if (!result) throw notFound('XPS result for the data entry', data_id);
      accesses.note(id);
      return { ...(result as XpsResult), data_id };
    },

    readSims({ data_id }, caller) {
      const id = own.entry(data_id, caller);
      accesses.note(id);
      return results.read(id, 'sims').map((profile) => ({ ...(profile as SimsProfile), data_id }));
    },
  };
}
