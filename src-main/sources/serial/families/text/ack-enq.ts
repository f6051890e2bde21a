// Gauge controllers of Pfeiffer, Balzers, INFICON and Leybold (TPG, MaxiGauge, VGC, CENTER): a mnemonic is acknowledged, then
// an enquiry fetches what it asked for.
//
//   PR1 CR LF        ->  ACK CR LF, or NAK CR LF
//   ENQ              ->  0,7.7700E-05 CR LF, or after NAK an error word
//
// A mnemonic without a parameter reads, with one (`SEN,2`) it sets: no parameter is ever sent. After power-up these units
// send readings by themselves until they receive their first character, so a line before the acknowledgement is skipped.
// Lines end with CR LF; simulators are met that end them with one of the two.
// A reply does not name its question.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { type Framer, lineEndAt, loneLine } from '../../protocol/framer.ts';

const ACK = 0x06;
const NAK = 0x15;
const ENQ = '\x05';
/** Clears the input buffer of the unit. */
const ETX = '\x03';
const DATA = loneLine(1024);

/** ACK or NAK with the end of its line. What stands before it was under way already, and is skipped. */
const SIGN: Framer = {
  maxBytes: 1024,
  cut: (bytes) => {
    for (let from = 0; from < bytes.length; from++) {
      const isSign = bytes[from] === ACK || bytes[from] === NAK;
      const end = isSign ? lineEndAt(bytes, from + 1) : null;
      if (end !== null) return { kind: 'frame', from, ...end };
    }
    return { kind: 'more' };
  },
};

/** Pressures (all units but the TPG 300 number gauges; that one names its plug-in boards), unit, gauges, identity. */
const READS = /^(PR[1-6X]|P[AB][12]|UNI|TID|AYT)$/;

const ERRORS: Readonly<Record<string, string>> = {
  '1000': 'an error of the controller',
  '0100': 'hardware that is not there',
  '0010': 'an inadmissible parameter',
  '0001': 'a mnemonic that it does not know',
};

const Setup = z.strictObject({
  /** What ends a mnemonic; units take CR with or without LF. */
  send_end: z.enum(['crlf', 'cr']).default('crlf'),
  /** What fetches the data. Units take the bare ENQ; some emulators only act on a whole line. */
  enquiry: z.enum(['bare', 'line']).default('bare'),
});

const endOf = (setup: z.output<typeof Setup>) => (setup.send_end === 'cr' ? '\r' : '\r\n');
/** Where only whole lines are acted on, one is ended. */
const neutralOf = (setup: z.output<typeof Setup>) => (setup.enquiry === 'bare' ? ETX : `${ETX}\r\n`);
const enquiryOf = (setup: z.output<typeof Setup>) => (setup.enquiry === 'bare' ? ENQ : `${ENQ}\r\n`);

/** Whether a line is an acknowledgement or has bytes that no data has. */
const isNoData = (text: string) => !/^[ -~]+$/.test(text);

export const ackEnq = defineFamily({
  name: 'ack-enq',
  title: 'mnemonic, ACK, ENQ, data (Pfeiffer, INFICON, Leybold)',
  setup: Setup,
  address: noAddress,
  ask: z.string().min(1).max(16),
  refuse: (ask) => (READS.test(ask) ? null : `"${ask}" is not a mnemonic that only reads`),
  mayWrite: (bytes, { setup }) => {
    const text = textOf(bytes);
    if (text === neutralOf(setup) || text === enquiryOf(setup)) return true;
    return text.endsWith(endOf(setup)) && READS.test(text.slice(0, -endOf(setup).length));
  },
  neutral: ({ setup }) => bytesOf(neutralOf(setup)),
  provesReply: () => false,
  *exchange(ask, { setup }): Exchange {
    const sign = yield { send: bytesOf(ask + endOf(setup)), read: SIGN };
    const data = yield { send: bytesOf(enquiryOf(setup)), read: DATA };
    const text = textOf(data.bytes).trim();
    const { atMs } = data;
    if (isNoData(text)) {
      const reason = 'no data where data was due: question and reply are out of step';
      return { kind: 'malformed', raw: showBytes(data.bytes), reason, atMs };
    }
    if (sign.bytes[0] === ACK) return { kind: 'text', text, atMs };
    return { kind: 'refused', raw: text, reason: `it refuses ${ask}: ${ERRORS[text] ?? `error ${text}`}`, atMs };
  },
});
