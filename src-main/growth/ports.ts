// What growths need of the queue, the recorder and the RHEED sessions, and nothing more.
import type { Growth, GrowthPage, GrowthStream } from '../model/growth.ts';
import type { MarkPage, MarkQuestion, MarkRow } from '../model/marks.ts';
import type { RheedSession } from '../model/rheed-session.ts';

export interface GrowthStore {
  growths(before: number | null, limit: number): Promise<GrowthPage>;
  growth(id: string): Promise<Growth | null>;
  growthStreams(parts: readonly string[]): Promise<GrowthStream[]>;
  listMarks(question: MarkQuestion): Promise<MarkPage>;
}

/** From the call of `putGrowths` on readings go where their stamps belong by them; fulfilled when it is on disk. */
export interface GrowthRecorder {
  putGrowths(growths: readonly Growth[], positions?: readonly GrowthPosition[]): Promise<void>;
  mark(mark: MarkRow): Promise<void>;
}

/** Something that becomes true together with a growth, such as a file that was taken. */
export interface GrowthPosition {
  readonly sourceId: string;
  readonly key: string;
  readonly value: string;
}

/** What a RHEED session is to carry. */
export interface SessionWish {
  readonly growth: string;
  /** Name of the growth, empty: none. */
  readonly title: string;
  readonly projectId: string | null;
  readonly sampleId: string | null;
  readonly newSampleName: string | null;
}

export interface GrowthSessions {
  readonly sessions: readonly RheedSession[];
  openSession(sourceId: string): RheedSession | null;
  start(sourceId: string, wish: SessionWish): Promise<RheedSession>;
  change(nonce: string, wish: SessionWish): Promise<RheedSession>;
  end(sourceId: string, cause: string, atMs?: number): Promise<RheedSession | null>;
}

/** What happened, as text, and what to do; the hint is empty when it comes by itself. */
export interface Told {
  readonly message: string;
  readonly hint: string;
}

/** What streams wait for. */
export interface Wait extends Told {
  /** It does not come by itself. */
  readonly isForPerson: boolean;
}
