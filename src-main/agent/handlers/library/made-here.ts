// What was made at the service from here: instruments and projects. The interface does not list them, so what it answered
// is kept in a file of the data folder, apart for each service, since an id of one means nothing at another.

import { readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import { InstrumentView } from '../../../contract/library.ts';
import { Turn } from '../../../model/turn.ts';
import { writeFileAtomic } from '../../../platform/atomic-file.ts';

const Project = z.object({
  id: z.string(),
  name: z.string(),
  notes: z.string(),
  madeMs: z.number().nullable(),
  sampleIds: z.array(z.string()).nullable(),
});
const Made = z.object({ instruments: z.array(InstrumentView), projects: z.array(Project) });
const MadeFile = z.object({ version: z.literal(1), services: z.record(z.string(), Made) });

export type Made = z.infer<typeof Made>;
export type MadeProject = z.infer<typeof Project>;

/** Things of one kind that are kept at most; the oldest go first. */
const KEPT_MAX = 2000;

/** The file of what was made here. */
export class MadeHere {
  readonly #path: string;
  /** Reading, changing and writing are one turn: two answers at once must not lose one. */
  readonly #turn = new Turn();

  /**
   * @param path - the path of the file; it need not exist.
   */
  constructor(path: string) {
    this.#path = path;
  }

  /** Read what was made at a service. A file that cannot be read is set aside at the next change, and counts as empty. */
  async read(service: string): Promise<Made> {
    await this.#turn.over();
    const { services } = await this.#load();
    return services[service] ?? { instruments: [], projects: [] };
  }

  /**
   * Change what is kept of a service.
   *
   * @returns whether it is on disk; the thing itself exists at the service either way.
   */
  change(service: string, make: (made: Made) => Made): Promise<boolean> {
    const done = this.#turn.take(async () => {
      const file = await this.#load();
      const { instruments, projects } = make(file.services[service] ?? { instruments: [], projects: [] });
      const made = { instruments: instruments.slice(-KEPT_MAX), projects: projects.slice(-KEPT_MAX) };
      const next = { ...file, services: { ...file.services, [service]: made } };
      await writeFileAtomic(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    });
    return done.then(
      () => true,
      () => false,
    );
  }

  async #load(): Promise<z.infer<typeof MadeFile>> {
    const empty = { version: 1 as const, services: {} };
    const text = await readFile(this.#path, 'utf8').catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT') return null;
      throw fault;
    });
    if (text === null) return empty;
    try {
      return MadeFile.parse(JSON.parse(text));
    } catch {
      // A torn or foreign file: it is kept under another name, for a person who can read it.
      await rename(this.#path, `${this.#path}.unreadable`).catch(() => undefined);
      return empty;
    }
  }
}
