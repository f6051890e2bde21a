// What the sessions need of store, service and clock, and nothing more.
import type { RheedSession } from '../../model/rheed-session.ts';

export interface SessionStore {
  putRheedSession(session: RheedSession): Promise<void>;
  rheedSessions(): Promise<RheedSession[]>;
}

type Options = { signal: AbortSignal };

/** Settings of a session as the service tells them (4.5). */
export interface SettingsAnswer {
  readonly data_item_name?: string | null | undefined;
  readonly fps_capture_rate?: number | null | undefined;
  readonly project_id?: string | null | undefined;
  readonly physical_sample_id?: string | null | undefined;
  readonly rotational_period?: number | null | undefined;
  readonly rotations_per_min?: number | null | undefined;
}

export interface StartBody {
  data_item_name: string;
  fps_capture_rate: number;
  project_id?: string;
  physical_sample_id?: string;
  create_physical_sample_name?: string;
  rotational_period?: number;
  rotations_per_min?: number;
}

/** The calls for RHEED; each rejects with a ServiceError. */
export interface SessionService {
  startRheedStream(body: StartBody, options: Options): Promise<string>;
  readRheedSettings(query: { data_id: string }, options: Options): Promise<SettingsAnswer>;
  readRheedMetadata(
    query: { data_ids: string[] },
    options: Options,
  ): Promise<readonly { data_id: string; total_frames?: number | null | undefined; fps?: number | null | undefined }[]>;
  listDataEntries(
    query: { keywords?: string[]; data_ids?: string[] },
    options: Options,
  ): Promise<
    readonly {
      data_id: string;
      raw_name?: string | null | undefined;
      physical_sample_id?: string | null | undefined;
      physical_sample_name?: string | null | undefined;
    }[]
  >;
  endStream(request: { path: string; data_id: string }, options: Options): Promise<void>;
}

export interface SessionClock {
  nowMs(): number;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
