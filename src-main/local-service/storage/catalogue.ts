// The catalogue: its pages, and what becomes of an entry.
import type { Engine } from './engine.ts';
import { type Owner, ownId } from './own.ts';
import type { PageFilter, PageRow } from './page.ts';
import { first, run } from './script.ts';

export interface Catalogue {
  /** Read a page, newest first. */
  page(filter: PageFilter): Promise<readonly PageRow[]>;
  /** Number of an entry by its UUID; Problem 404. */
  find(dataId: string, owner: Owner): Promise<number>;
  /** Call an entry faulty whose data cannot be read. */
  fail(entryId: number): Promise<void>;
  /** How many entries take data now. */
  countRunning(): Promise<number>;
}

/** Open the catalogue. */
export function createCatalogue(engine: Engine): Catalogue {
  const { read, write } = engine;
  return {
    page: (filter) => read(() => engine.page(filter)),
    find: (dataId, owner) => read(() => ownId('entry', dataId, owner)),
    fail: (entryId) => write(() => run(`UPDATE entry SET pipeline_status = 'error' WHERE id = ?`, entryId)),
    countRunning: async () => {
      const sql = `SELECT count(*) AS running FROM entry WHERE pipeline_status = 'running'`;
      return (await read(() => first<{ running: number }>(sql)))?.running ?? 0;
    },
  };
}
