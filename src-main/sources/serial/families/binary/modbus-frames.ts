// Frames of Modbus (application protocol V1.1b3, serial line V1.02), as far as they read registers: functions 3 and 4. RTU
// frames carry unit, function, data and a CRC; TCP frames a header with a transaction number instead of the CRC.
import { byLength, type Framer } from '../../protocol/framer.ts';

export type Framing = 'rtu' | 'tcp';

/** Functions that read: holding and input registers. */
export const READ_FUNCTIONS = { holding: 3, input: 4 } as const;
/** Words that one question may ask for. */
export const WORDS_MAX = 125;

export interface RegisterRequest {
  readonly framing: Framing;
  readonly unit: number;
  readonly code: number;
  /** First register, from 0 as it is sent. */
  readonly first: number;
  readonly count: number;
  /** Of TCP only; 0 to 65535. */
  readonly transaction: number;
}

export type RegisterReply =
  | { readonly kind: 'words'; readonly words: readonly number[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string };

const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'it does not know this function',
  2: 'it has no such register',
  3: 'it does not take so many registers',
  4: 'a failure of the unit',
  6: 'it is busy',
  11: 'the unit behind the gateway does not answer',
};

const HEADER_BYTES = 6;
const FRAME_BYTES_MAX = 300;

/** CRC-16 of Modbus; the low byte is sent first. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

const pair = (word: number) => [word >> 8, word & 0xff];
const wordAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
/** Whether a frame ends with the CRC of what stands before it. */
const hasCrc = (frame: Uint8Array) => crc16(frame) === 0;

/** Bytes of a question. */
export function encodeRequest({ framing, unit, code, first, count, transaction }: RegisterRequest): Uint8Array {
  const body = Uint8Array.of(unit, code, ...pair(first), ...pair(count));
  if (framing === 'tcp') return Uint8Array.of(...pair(transaction), 0, 0, 0, body.length, ...body);
  const crc = crc16(body);
  return Uint8Array.of(...body, crc & 0xff, crc >> 8);
}

/** Whether bytes are one whole question that reads registers, and nothing else. */
export function isRegisterRequest(framing: Framing, bytes: Uint8Array): boolean {
  if (framing === 'rtu') return bytes.length === 8 && hasCrc(bytes) && isReading(bytes);
  const isHeader = wordAt(bytes, 2) === 0 && wordAt(bytes, 4) === 6;
  return bytes.length === 12 && isHeader && isReading(bytes.subarray(HEADER_BYTES));
}

function isReading(body: Uint8Array): boolean {
  const count = wordAt(body, 4);
  return (body[1] === 3 || body[1] === 4) && count >= 1 && count <= WORDS_MAX;
}

/** Cuts replies to a question. RTU has no frame length: it follows from the function and the byte count. */
export function replyFramer(request: RegisterRequest): Framer {
  return byLength(FRAME_BYTES_MAX, request.framing === 'tcp' ? tcpLength : (bytes) => rtuLength(bytes, request));
}

function tcpLength(bytes: Uint8Array): number | null | 'broken' {
  if ((bytes[2] ?? 0) !== 0 || (bytes[3] ?? 0) !== 0 || (bytes[4] ?? 0) !== 0) return 'broken';
  if (bytes.length < HEADER_BYTES) return null;
  const length = bytes[5] as number;
  return length >= 3 && length <= 254 ? HEADER_BYTES + length : 'broken';
}

function rtuLength(bytes: Uint8Array, { unit, code, count }: RegisterRequest): number | null | 'broken' {
  const [from, function_, length] = bytes;
  if (from !== unit) return 'broken';
  if (function_ === undefined) return null;
  if (function_ === (code | 0x80)) return 5;
  if (function_ !== code) return 'broken';
  if (length === undefined) return null;
  const isCount = length >= 2 && length % 2 === 0 && length <= 2 * count;
  return isCount ? 3 + length + 2 : 'broken';
}

/** The transaction number of a TCP frame. */
export const transactionOf = (frame: Uint8Array): number => wordAt(frame, 0);

/** Read a reply that was cut by `replyFramer`. Fewer words than were asked for are given as they are. */
export function decodeReply(frame: Uint8Array, { framing, unit, code, count }: RegisterRequest): RegisterReply {
  if (framing === 'rtu' && !hasCrc(frame)) return { kind: 'malformed', reason: 'wrong CRC' };
  const body = framing === 'rtu' ? frame.subarray(0, -2) : frame.subarray(HEADER_BYTES);
  if (body[0] !== unit) return { kind: 'malformed', reason: `unit ${body[0]} answers, unit ${unit} was asked` };
  if (body[1] === (code | 0x80)) {
    const exception = body[2] ?? 0;
    return { kind: 'refused', reason: `exception ${exception}: ${EXCEPTIONS[exception] ?? 'not known'}` };
  }
  const data = body.subarray(3);
  const isWhole = body[1] === code && body[2] === data.length && data.length % 2 === 0 && data.length <= 2 * count;
  if (!isWhole) return { kind: 'malformed', reason: 'not the form of a reply to this question' };
  return { kind: 'words', words: Array.from({ length: data.length / 2 }, (_, at) => wordAt(data, 2 * at)) };
}
