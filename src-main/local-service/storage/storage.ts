// All that the service keeps, as the endpoints know it. Each call is one transaction; what a call has changed is on disk when it is
// fulfilled. Calls throw Problem for what the caller asked wrongly.
import { type Accesses, createAccesses } from './accesses.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { ChunkPolicy } from './chunk-policy.ts';
import type { Engine } from './engine.ts';
import { createFiles, type Files } from './files.ts';
import { createIdentity, type Identity } from './identity.ts';
import { createLab, type Lab } from './lab.ts';
import { createLibrary, type Library } from './library.ts';
import { createPoints, type Points } from './points.ts';
import { createStreams, type Streams } from './streams.ts';

export interface Storage {
  readonly identity: Identity;
  readonly catalogue: Catalogue;
  readonly streams: Streams;
  readonly points: Points;
  readonly library: Library;
  readonly files: Files;
  readonly accesses: Accesses;
  readonly lab: Lab;
}

/** Open the storage over an engine. */
export function createStorage(engine: Engine, policy: ChunkPolicy, nowMs: () => number): Storage {
  return {
    identity: createIdentity(engine),
    catalogue: createCatalogue(engine),
    streams: createStreams(engine, policy),
    points: createPoints(engine),
    library: createLibrary(engine),
    files: createFiles(engine),
    accesses: createAccesses(engine, nowMs),
    lab: createLab(engine),
  };
}
