import type { NamedFrame } from './name-pattern.ts';
import type { FileFacts } from './walk.ts';

/** A name that may be a frame, and its file. */
export interface Candidate {
  readonly path: string;
  readonly named: NamedFrame;
  readonly facts: FileFacts;
}
