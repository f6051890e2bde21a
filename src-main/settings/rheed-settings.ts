// The settings of a frame counter with every default filled in.
import type { CheckedFile } from './schema.ts';

interface PlaceOfNumber {
  readonly pattern: string | null;
  readonly field: string | null;
  readonly lostField: string | null;
  readonly timeField: string | null;
}

type CounterSettings =
  | { readonly type: 'images'; readonly path: string; readonly match: string; readonly timeFormat: string | null }
  | {
      readonly type: 'movie';
      readonly path: string;
      readonly match: string;
      readonly strideBytes: number | null;
      readonly headerBytes: number;
    }
  | ({ readonly type: 'counter-file'; readonly path: string } & PlaceOfNumber)
  | ({
      readonly type: 'log';
      readonly path: string;
      readonly match: string;
      readonly lines: 'each-frame' | 'now-and-then';
    } & PlaceOfNumber)
  | ({
      readonly type: 'serial';
      readonly port: string;
      readonly baud: number;
      /** Sent to read the register; null: it talks by itself. */
      readonly ask: string | null;
    } & PlaceOfNumber);

/** What a source of kind rheed has of its own. */
export interface RheedOwnSettings {
  readonly id: string;
  readonly kind: 'rheed';
  readonly counter: CounterSettings;
  /** Above 0, at most 120; null: as measured. */
  readonly fps: number | null;
  readonly rotationRpm: number | null;
  readonly rollsOverAt: number | null;
  readonly stallAfterMs: number;
  readonly session: {
    readonly start: 'by-hand' | 'by-counter';
    readonly endAfterSilenceMs: number | null;
    readonly projectId: string | null;
  };
  /** IANA name of the zone of times in names. */
  readonly timeZone: string;
}

type Checked = Extract<CheckedFile['sources'][number], { kind: 'rheed' }>;

function fillCounter(counter: Checked['counter'], whole: (path: string) => string): CounterSettings {
  switch (counter.type) {
    case 'images':
      return { type: 'images', path: whole(counter.path), match: counter.match, timeFormat: counter.time_format };
    case 'movie': {
      const { type, match, stride_bytes: strideBytes, header_bytes: headerBytes } = counter;
      return { type, path: whole(counter.path), match, strideBytes, headerBytes };
    }
    default: {
      const { pattern, field, lost_field: lostField, time_field: timeField } = counter;
      const place = { pattern, field, lostField, timeField };
      if (counter.type === 'serial') {
        const { type, port, baud, ask } = counter;
        return { type, port, baud, ask, ...place };
      }
      if (counter.type === 'log') {
        const { type, match, lines } = counter;
        return { type, path: whole(counter.path), match, lines, ...place };
      }
      return { type: counter.type, path: whole(counter.path), ...place };
    }
  }
}

/** Fill in what a checked source leaves open. `whole`: makes a path whole. */
export function fillRheed(source: Checked, whole: (path: string) => string, timeZone: string): RheedOwnSettings {
  const { id, kind, session } = source;
  return {
    id,
    kind,
    counter: fillCounter(source.counter, whole),
    fps: source.fps_capture_rate,
    rotationRpm: source.rotation_rpm,
    rollsOverAt: source.rolls_over_at,
    stallAfterMs: source.stall_after,
    session: {
      start: session.start,
      endAfterSilenceMs: session.end_after_silence,
      projectId: session.project_id,
    },
    timeZone: source.time_zone ?? timeZone,
  };
}
