// What a disk may hold after the power went while files of a folder were replaced: made from the same record as
// power-cut.ts, with names and contents apart, since a name may reach the disk before the content that it stands for.
//
// The model: what was written before a sync of a file is on the disk, and so is the name under which it was made; a new
// name and a removal last from a sync of the folder on. Of the rest anything may be there.
import { basename } from 'node:path';
import type { Chance } from '../../simulation/random.ts';
import { Image, type Operation } from './power-cut.ts';

/** A file, whatever it is called. */
interface Body {
  readonly safe: Operation[];
  readonly pending: Operation[];
}

/** What one call does to names, all of it or nothing; null: the name is taken away. */
type Naming = readonly (readonly [name: string, body: Body | null])[];

export interface ReplaceState {
  readonly at: number;
  /** The last number that the program had printed; 0 before the first. */
  readonly confirmed: number;
  readonly files: ReadonlyMap<string, Buffer>;
}

class Folder {
  readonly #live = new Map<string, Body>();
  readonly #safe = new Map<string, Body>();
  #namings: Naming[] = [];

  run(operation: Operation): void {
    const { type, file, data } = operation;
    const body = this.#live.get(file);
    if (type === 'S' && body) this.#syncFile(file, body);
    else if (type === 'S') this.#syncNames(this.#namings);
    else if (type === 'U') this.#name([[file, null]]);
    else if (type === 'R') this.#name([...(body ? [[basename(data.toString()), body] as const] : []), [file, null]]);
    else {
      const made = body ?? { safe: [], pending: [] };
      if (!body) this.#name([[file, made]]);
      made.pending.push(operation);
    }
  }

  /** A disk as the cut may leave it; `chance` null: nothing of what was not synced is there. */
  cut(chance: Chance | null): Map<string, Buffer> {
    const names = new Map(this.#safe);
    for (const naming of this.#namings) if (chance?.happens(0.5)) rename(names, naming);
    return new Map(
      [...names].map(([name, { safe, pending }]) => {
        const image = new Image();
        for (const operation of safe) image.apply(operation, null);
        for (const operation of pending) {
          if (chance?.happens(0.5)) image.apply(operation, operation.type === 'W' ? chance : null);
        }
        return [name, Buffer.from(image.content)];
      }),
    );
  }

  #name(naming: Naming): void {
    rename(this.#live, naming);
    this.#namings.push(naming);
  }

  #syncFile(name: string, body: Body): void {
    body.safe.push(...body.pending.splice(0));
    this.#syncNames(this.#namings.filter(([first]) => first?.[0] === name && first[1] === body));
  }

  #syncNames(done: readonly Naming[]): void {
    for (const naming of done) rename(this.#safe, naming);
    this.#namings = this.#namings.filter((naming) => !done.includes(naming));
  }
}

function rename(names: Map<string, Body>, naming: Naming): void {
  for (const [name, body] of naming) {
    if (body) names.set(name, body);
    else names.delete(name);
  }
}

/**
 * Make disks as a power cut may leave them.
 *
 * @param operations - the record.
 * @param chance - where chance comes from.
 * @param drawn - how many states at each moment beside the one without anything unsynced.
 * @returns states at every moment, in order of time.
 */
export function* cutReplacing(
  operations: readonly Operation[],
  chance: Chance,
  drawn: number,
): Generator<ReplaceState> {
  const folder = new Folder();
  let confirmed = 0;
  for (const [at, operation] of operations.entries()) {
    if (operation.type === 'A') confirmed = Number(operation.data.toString().trim());
    else folder.run(operation);
    yield { at, confirmed, files: folder.cut(null) };
    for (let n = 0; n < drawn; n++) yield { at, confirmed, files: folder.cut(chance) };
  }
}
