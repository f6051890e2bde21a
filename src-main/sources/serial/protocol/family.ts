// A protocol family: the bytes that some instruments have in common. A family is one file in families/ that ends with
//
//   export const myFamily = defineFamily({ name: 'my-family', ... });
//
// and one line in families/families.ts. It says how a read-only question is written and its reply read; which instrument
// is asked what, and how often, is data (resources/instruments). Everything in it is pure.
//
// Two walls keep a profile from acting on the tool. `refuse` is the allow-list: it looks at the question as the profile
// has it, when the profile is loaded. `mayWrite` looks at the bytes, each time, knowing nothing of how they were made.
import { z } from 'zod';
import { showBytes } from './bytes.ts';
import type { Exchange, Frame, Reply, Step } from './exchange.ts';
import type { Framer } from './framer.ts';
import { notReadOnly, profileFault } from './profile-fault.ts';

/** What the exchange knows of the instrument. */
export interface FamilyContext<Setup> {
  /** `protocol` of the profile. */
  readonly setup: Setup;
  /** Address on the line, as the family's schema gives it; null when there is none. */
  readonly address: string | number | null;
  /** Whether a text fits the question's `reply` rule, for families that must tell a reply from other lines. */
  readonly isReply: (text: string) => boolean;
}

/**
 * What an instrument must have said before it is asked anything else: its questions are known to only read on these
 * instruments, and act on others. What the profile takes for a fitting identity does not widen it.
 */
export interface Bond {
  /** The question, as a profile writes it. */
  readonly ask: string;
  /** Fits the whole reply, or its beginning. */
  readonly pattern: RegExp;
  /** The instruments, for people. */
  readonly about: string;
}

export interface FamilySpec<Setup, Ask, Hear> {
  /** As profiles cite it. */
  readonly name: string;
  readonly title: string;
  /** Schema of `protocol`. */
  readonly setup: z.ZodType<Setup>;
  /** Schema of the address. */
  readonly address: z.ZodType<string | number | null>;
  /** Schema of `ask`. */
  readonly ask: z.ZodType<Ask>;
  /** The allow-list: why this question is not known to be read-only; null when it is. */
  refuse(ask: Ask, context: Omit<FamilyContext<Setup>, 'isReply'>): string | null;
  /** Second wall: whether these bytes, read as the instrument would read them, only ask. */
  mayWrite(bytes: Uint8Array, context: Omit<FamilyContext<Setup>, 'isReply'>): boolean;
  /** Put the question and read the reply. */
  exchange(ask: Ask, context: FamilyContext<Setup>): Exchange;
  /** Bytes that bring the instrument's input back to its beginning after a time-out; empty: none. */
  neutral(context: Omit<FamilyContext<Setup>, 'isReply'>): Uint8Array;
  /**
   * Whether each reply names its question and the exchange checks that (a late one is skipped there). Else the line
   * holds the first reply after a time-out until it is known to be the right one.
   */
  provesReply(setup: Setup): boolean;
  /** What must have been said before anything else is asked; absent, or null: nothing. */
  bond?(setup: Setup): Bond | null;
  /** For instruments that talk unasked; absent: what comes unasked is dropped. */
  readonly unsolicited?: {
    /** Schema of `hear`. */
    readonly hear: z.ZodType<Hear>;
    framer(setup: Setup): Framer;
    /** The frame as a reply; null when it is not what `hear` describes. */
    decode(frame: Frame, hear: Hear, setup: Setup): Reply | null;
  };
}

/** A question that was checked and can be asked. */
export interface CompiledAsk {
  exchange(): Exchange;
}

/** A family with the `protocol` and address of one instrument. */
export interface BoundFamily {
  readonly name: string;
  readonly provesReply: boolean;
  /** What must have been said before anything else is asked; null: nothing. */
  readonly bond: Bond | null;
  readonly neutral: Uint8Array;
  /** The second wall: whether these bytes only ask. */
  mayWrite(bytes: Uint8Array): boolean;
  /**
   * Check a question.
   *
   * @param where - where it stands (for errors).
   * @param ask - `ask` of the profile.
   * @param isReply - whether a text fits its reply rule.
   * @throws `serial.profile-broken`, `serial.not-read-only`.
   */
  compile(where: string, ask: unknown, isReply: (text: string) => boolean): CompiledAsk;
  /** Frames of what comes unasked; null when this family drops it. */
  readonly framer: Framer | null;
  /**
   * Check a `hear`; gives how its frames are read.
   *
   * @throws `serial.profile-broken`.
   */
  compileHear(where: string, hear: unknown): (frame: Frame) => Reply | null;
}

export interface Family {
  readonly name: string;
  readonly title: string;
  /**
   * Bind the family to the protocol and the address of a profile.
   * @throws `serial.profile-broken` when `protocol` or address do not fit.
   */
  bind(where: string, setup: unknown, address: unknown): BoundFamily;
}

/** Make a family of its description; what it is made of stays typed inside it. */
export function defineFamily<Setup, Ask, Hear = never>(spec: FamilySpec<Setup, Ask, Hear>): Family {
  const { name, title } = spec;
  return { name, title, bind: (where, setup, address) => bind(spec, where, setup, address) };
}

function bind<Setup, Ask, Hear>(
  spec: FamilySpec<Setup, Ask, Hear>,
  where: string,
  rawSetup: unknown,
  rawAddress: unknown,
): BoundFamily {
  const setup = check(spec.setup, rawSetup, where, 'protocol');
  const address = check(spec.address, rawAddress, where, 'address');
  const context = { setup, address };
  const { unsolicited } = spec;
  return {
    name: spec.name,
    provesReply: spec.provesReply(setup),
    bond: spec.bond?.(setup) ?? null,
    neutral: spec.neutral(context),
    mayWrite: (bytes) => spec.mayWrite(bytes, context),
    framer: unsolicited ? unsolicited.framer(setup) : null,
    compile: (place, rawAsk, isReply) => {
      const ask = check(spec.ask, rawAsk, place, 'ask');
      const refusal = spec.refuse(ask, context);
      if (refusal !== null) throw notReadOnly(place, refusal);
      return { exchange: () => guard(spec, context, spec.exchange(ask, { ...context, isReply }), place) };
    },
    compileHear: (place, rawHear) => {
      if (!unsolicited)
        throw profileFault(place, `the family ${spec.name} hears nothing unasked`, 'Remove unsolicited.');
      const hear = check(unsolicited.hear, rawHear, place, 'hear');
      return (frame) => unsolicited.decode(frame, hear, setup);
    },
  };
}

/** Pass the exchange on, step by step; a step that would write what only acts is an error, and nothing is written. */
function* guard<Setup, Ask, Hear>(
  spec: FamilySpec<Setup, Ask, Hear>,
  context: { setup: Setup; address: string | number | null },
  steps: Exchange,
  place: string,
): Generator<Step, Reply, Frame> {
  let step = steps.next();
  while (!step.done) {
    const { send } = step.value;
    if (send && send.length > 0 && !spec.mayWrite(send, context)) {
      throw notReadOnly(place, `${showBytes(send)} is not a question of the family ${spec.name}`);
    }
    step = steps.next(yield step.value);
  }
  return step.value;
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string, field: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [field, ...(issue?.path ?? [])].join('.');
  throw profileFault(where, `${path}: ${issue?.message ?? 'does not fit'}`, 'Correct the profile.');
}

/** Address of a family whose instruments have none. */
export const noAddress: z.ZodType<null> = z.null();
