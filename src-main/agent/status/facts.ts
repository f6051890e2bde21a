// What the parts say of themselves, as the snapshot is made from it. Plain values; nobody is asked back.
import type { RunningGrowth } from '../../contract/growth.ts';
import type { JournalEntry, Snapshot, SourceView } from '../../contract/snapshot.ts';
import type { UpdatesView } from '../../contract/updates.ts';
import type { ChannelLimit } from '../../model/channel.ts';
import type { FormerWaiting, QueueTally } from '../../model/queue.ts';
import type { LimitLevel } from './channel-limit.ts';
import type { Room } from './fill.ts';
import type { AwakeFact, ReadyFacts } from './ready.ts';

/** What an upload is doing, as the upload's own state tells it. */
export interface UploadFact {
  readonly state: {
    readonly kind:
      | 'stopped'
      | 'resuming'
      | 'checking'
      | 'idle'
      | 'sending'
      | 'refusing'
      | 'waiting'
      | 'blocked'
      /** Not sent, as a person chose. */
      | 'kept';
    readonly untilMs?: number | null;
    readonly reason?: { readonly message: string; readonly hint: string };
  };
  /** True while its request is under way. */
  readonly isOnLine: boolean;
}

/** Why nobody gets through to the service. */
export interface LineFact {
  readonly trouble: 'offline' | 'asked' | 'key' | 'foreign' | 'certificate';
  readonly message: string;
  readonly hint: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface ServiceFact {
  readonly address: string;
  readonly isEmbedded: boolean;
  readonly startedMs: number;
  /** Since when a person has paused the sending; null: it goes on. */
  readonly pausedSinceMs: number | null;
  readonly fault: LineFact | null;
  /** Since when requests get through; null before the first. */
  readonly upSinceMs: number | null;
}

/** A limit of a channel that is not normal. */
export interface AlarmFact extends Pick<ChannelLimit, 'sourceId' | 'channel' | 'guidance'> {
  readonly state: 'active' | 'acknowledged' | 'cleared';
  readonly level: LimitLevel;
  /** The value that reached the level, and the limit. */
  readonly value: number;
  readonly limit: number;
  readonly sinceMs: number;
}

/** What waits for a service that the settings no longer name, and what becomes of it. */
export interface FormerFact extends FormerWaiting {
  /** `asks`: a person says; `sending`: it goes there; `kept`: it stays here, as a person chose. */
  readonly state: 'asks' | 'sending' | 'kept';
  /** Why it does not go on now; empty: it does, or nothing but an answer is missing. */
  readonly message: string;
  readonly hint: string;
  /** A key is known for it. */
  readonly hasKey: boolean;
}

/** A way by which alarms cannot be sent. */
export interface AlarmFault {
  readonly way: 'webhook' | 'e-mail';
  readonly message: string;
  readonly hint: string;
}

interface StoreFact extends Room {
  readonly path: string;
  /** The store refuses now; null while it takes. */
  readonly fault: { readonly message: string; readonly hint: string } | null;
  /** The queue is not where it was opened: nothing is sent; null while it is. */
  readonly away: { readonly message: string; readonly hint: string } | null;
}

export interface Facts {
  readonly atMs: number;
  readonly version: string;
  readonly phase: Snapshot['phase'];
  /** Why the agent could not start, or what it could not store before it stopped; null otherwise. */
  readonly failure: { readonly message: string; readonly hint: string } | null;
  readonly isTrial: boolean;
  readonly toolName: string | null;
  readonly timeZone: string;
  readonly service: ServiceFact | null;
  readonly sources: readonly SourceView[];
  readonly tally: QueueTally | null;
  readonly uploads: ReadonlyMap<number, UploadFact>;
  /** What waits for services that the settings no longer name, the oldest first. */
  readonly former: readonly FormerFact[];
  readonly store: StoreFact | null;
  /** The growth that runs; null: none. */
  readonly growth: RunningGrowth | null;
  /** Limits of channels that are not normal. */
  readonly alarms: readonly AlarmFact[];
  /** The ways by which alarms cannot be sent; empty: none is known. */
  readonly alarmFaults: readonly AlarmFault[];
  /** Null while nothing runs. */
  readonly ready: ReadyFacts | null;
  readonly awake: AwakeFact;
  readonly journal: readonly JournalEntry[];
  readonly updates: UpdatesView;
}
