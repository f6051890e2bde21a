// Keeps the RHEED sessions in step with the growth that runs: each source of kind rheed has one in its part, and none of a
// part that is over stays open. What was cut off by a crash, or refused, is done at the next look.

import { toAgentError } from '../model/agent-error.ts';
import type { GrowthPart } from '../model/growth.ts';
import type { News } from '../model/news.ts';
import { Turn } from '../model/turn.ts';
import type { GrowthBook } from './growth-book.ts';
import type { GrowthSessions, SessionWish } from './ports.ts';

export interface MatchOptions {
  readonly sessions: GrowthSessions;
  readonly rheedSources: () => readonly string[];
  /** Which part runs; why a source has no session in it is noted there. */
  readonly book: GrowthBook;
  readonly tell: (news: News, about: string) => void;
  readonly onChange: () => void;
}

export class SessionMatch {
  readonly #options: MatchOptions;
  readonly #turn = new Turn();

  constructor(options: MatchOptions) {
    this.#options = options;
  }

  /** End what is over, begin what is missing; one look after the other. Never rejects: what fails is told. */
  look(): Promise<void> {
    return this.#turn.take(() =>
      this.#match().catch((thrown: unknown) => {
        const { code, message, hint } = toAgentError(thrown);
        this.#options.tell({ level: 'warning', code, message, hint }, 'growth sessions');
      }),
    );
  }

  async #match(): Promise<void> {
    const { sessions, rheedSources, book } = this.#options;
    for (const { sourceId, growth, endedMs } of [...sessions.sessions]) {
      const part = growth === null ? null : book.part(growth);
      if (endedMs === null && part && part.toMs !== null) await sessions.end(sourceId, 'with the growth', part.toMs);
    }
    const part = book.runningPart;
    if (!part) book.problems.clear();
    for (const sourceId of part ? rheedSources() : []) {
      const has = sessions.sessions.some((session) => session.growth === part?.id && session.sourceId === sourceId);
      if (!has) await this.#begin(sourceId);
    }
  }

  async #begin(sourceId: string): Promise<void> {
    const { sessions, book, tell, onChange } = this.#options;
    if (sessions.openSession(sourceId)) await sessions.end(sourceId, 'a growth began');
    // As it is now: it may have been changed, or ended, meanwhile.
    const part = book.runningPart;
    if (!part) return;
    try {
      await sessions.start(sourceId, wishOf(part));
      book.problems.delete(sourceId);
    } catch (thrown) {
      const { code, message, hint } = toAgentError(thrown);
      if (book.problems.get(sourceId)?.message !== message) {
        const told = `No RHEED session of ${sourceId} in this growth: ${message}`;
        tell({ level: 'warning', code, message: told, hint }, part.id);
      }
      book.problems.set(sourceId, { message, hint });
    }
    onChange();
  }
}

/** What the sessions of a part are to carry: of the sample its id once it is known, else the name. */
export function wishOf({ id, name, projectId, sampleId, newSampleName }: GrowthPart): SessionWish {
  return { growth: id, title: name, projectId, sampleId, newSampleName: sampleId === null ? newSampleName : null };
}
