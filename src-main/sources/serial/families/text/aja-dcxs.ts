// AJA DCXS direct current supplies: one small letter asks, the reply is so many characters, without an end mark or a check.
// Capitals switch the output and set values. `?` tells the name; `>` comes by itself at power-up. A reply does not name its
// question, and one lost character would move all that follows, so the characters are taken only where nothing is missing
// and all of them fit.
// Source: pymeasure aja/dcxs.py and its tests.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { exactly } from '../../protocol/framer.ts';

const Ask = z.strictObject({
  ask: z.string().length(1),
  /** Characters of the reply. */
  characters: z.int().min(1).max(16),
});

/** Name, state, set point, regulation mode, power, voltage, current, fault, gun. Capitals act. */
const READS = /^[?a-foy]$/;

export const ajaDcxs = defineFamily({
  name: 'aja-dcxs',
  title: 'single letters of AJA DCXS supplies',
  setup: z.strictObject({}),
  address: noAddress,
  ask: Ask,
  refuse: ({ ask }) => (READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`),
  mayWrite: (bytes) => bytes.length === 1 && READS.test(textOf(bytes)),
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange({ ask, characters }): Exchange {
    const { bytes, atMs } = yield { send: bytesOf(ask), read: exactly(characters) };
    const text = textOf(bytes);
    if (/^[!-=?-~]+$/.test(text)) return { kind: 'text', text, atMs };
    return { kind: 'malformed', raw: showBytes(bytes), reason: 'not the characters of a reply', atMs };
  },
});
