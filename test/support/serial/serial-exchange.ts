// One exchange of a protocol family without a line: what it sends, and what it makes of the bytes that come back.

import { families } from '../../../src-main/sources/serial/families/families.ts';
import { InputBuffer } from '../../../src-main/sources/serial/line/input-buffer.ts';
import type { Reply } from '../../../src-main/sources/serial/protocol/exchange.ts';
import type { BoundFamily } from '../../../src-main/sources/serial/protocol/family.ts';

export interface Spoken {
  readonly sent: readonly Uint8Array[];
  /** Null: it would wait for more, until its time is over. */
  readonly reply: Reply | null;
}

/** Text, one character a byte, or `hex 04 30`. */
export function wire(text: string): Uint8Array {
  if (text.startsWith('hex ')) return Uint8Array.from(Buffer.from(text.slice(4).replaceAll(' ', ''), 'hex'));
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

export function bindFamily(name: string, protocol: unknown = {}, address: unknown = null): BoundFamily {
  const family = families.get(name);
  if (!family) throw new Error(`there is no family ${name}`);
  return family.bind('test', protocol, address);
}

/** Ask a question of a family, where nothing follows an answer; each thing that it sends is answered by the next of the answers, byte by byte as given. */
export function converse(family: BoundFamily, ask: unknown, answers: readonly Uint8Array[]): Spoken {
  const steps = family.compile('test', ask, () => true).exchange();
  const buffer = new InputBuffer();
  const sent: Uint8Array[] = [];
  let step = steps.next();
  while (!step.done) {
    const { send, read } = step.value;
    if (send && send.length > 0) {
      const answer = answers[sent.length];
      sent.push(send);
      if (answer) buffer.append(answer, 1000);
    }
    const taken = read === null ? null : buffer.take(read, true);
    if (read !== null && taken?.kind !== 'frame') {
      const raw = taken === null ? '' : taken.kind;
      return { sent, reply: taken === null ? null : { kind: 'malformed', raw, reason: raw, atMs: 0 } };
    }
    step = steps.next(taken?.kind === 'frame' ? taken.frame : { bytes: new Uint8Array(), atMs: 0 });
  }
  return { sent, reply: step.value };
}
