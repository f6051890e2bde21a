// What the entry of a stream carries of its growth, as the uploader asks for it: name, sample and project of its part.
import type { GrowthPart } from '../model/growth.ts';
import type { UploadStream } from '../model/queue.ts';
import { nameWithWords } from '../model/stream-name.ts';
import type { GrowthBook } from './growth-book.ts';
import type { GrowthSessions, Wait } from './ports.ts';
import { waitOf } from './wait-of.ts';

export class GrowthEntries {
  readonly #book: GrowthBook;
  readonly #sessions: Pick<GrowthSessions, 'sessions'>;

  /** Takes what is known of the growths, and the RHEED sessions, one of which may make the sample. */
  constructor(book: GrowthBook, sessions: Pick<GrowthSessions, 'sessions'>) {
    this.#book = book;
    this.#sessions = sessions;
  }

  /** What the entry would carry now, or what it waits for. */
  look({ growth, name, nonce, sampleId, projectId }: UploadStream) {
    const part = growth === null ? null : this.#book.part(growth);
    if (!part) return { kind: 'ready' as const, content: { name, sampleId, projectId } };
    if (this.#book.isChanging(part.id))
      return { kind: 'waits' as const, message: 'What was chosen is being stored.', hint: '', isForPerson: false };
    const waits = this.waitOf(part);
    if (waits) return { kind: 'waits' as const, ...waits };
    const content = {
      name: nameWithWords(name, nonce, part.name),
      sampleId: part.sampleId,
      projectId: part.projectId,
    };
    return { kind: 'ready' as const, content };
  }

  /** The same, and from now on only a new part carries a change, until it is given back. */
  take(stream: UploadStream) {
    const answer = this.look(stream);
    if (answer.kind === 'ready') this.#book.take(stream);
    return answer;
  }

  giveBack(streamId: number): void {
    this.#book.giveBack(streamId);
  }

  /** What the streams of a part wait for; null: nothing. */
  waitOf(part: GrowthPart): Wait | null {
    const sessions = this.#sessions.sessions.filter(({ growth }) => growth === part.id);
    return waitOf(part, sessions, [...this.#book.problems.values()]);
  }
}
