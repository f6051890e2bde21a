// 4.4 to 4.6: RHEED sessions and what is known of processed RHEED videos.
import { notFound, violation } from '../requests/problem.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve RHEED. */
export function serveRheed({
  storage: { streams, library, accesses },
  nowMs,
}: ServiceParts): Pick<Handlers, 'startRheedStream' | 'readRheedSettings' | 'readRheedMetadata'> {
  return {
    startRheedStream(request, caller) {
      const { data_item_name, fps_capture_rate, project_id, rotational_period, rotations_per_min } = request;
      // The start gives seconds a turn, the settings tell frames a turn.
      const framesPerTurn = rotational_period == null ? null : rotational_period * fps_capture_rate;
      if (framesPerTurn !== null && !Number.isFinite(framesPerTurn)) {
        throw violation(['body', 'rotational_period'], 'its frames a turn are no number any more');
      }
      return streams.startSession(
        {
          name: data_item_name,
          isRotating: Boolean(rotational_period) || Boolean(rotations_per_min),
          sampleUuid: request.physical_sample_id,
          sampleName: request.create_physical_sample_name || null,
          projectUuid: project_id,
          nowMs: nowMs(),
          settings: {
            data_item_name,
            fps_capture_rate,
            project_id: project_id ?? null,
            rotational_period: framesPerTurn,
            rotations_per_min: rotations_per_min ?? null,
          },
        },
        caller,
      );
    },

    async readRheedSettings({ data_id }, caller) {
      const { entryId, settings } = await streams.settings(data_id, caller);
      accesses.note(entryId);
      return settings;
    },

    async readRheedMetadata({ data_ids }, caller) {
      const found = await library.results('rheed', data_ids, caller);
      return found.map(({ entryId, bodies: [metadata] }, at) => {
        const data_id = data_ids[at] ?? '';
        if (!metadata) throw notFound('processed RHEED video for the data entry', data_id);
        accesses.note(entryId);
        return { ...(metadata as object), data_id };
      });
    },
  };
}
