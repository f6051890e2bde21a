// What the system's buffer had no room for.

/** The system's input buffer, bytes: a read that fills it after a pause may have lost what did not fit. */
const SYSTEM_BUFFER_BYTES = 4095;

/**
 * Count what may be lost. Takes bytes of a read, the time since the read before, and that of one character on the wire (0:
 * not known), milliseconds.
 *
 * @returns bytes at most; 0 unless the read filled the buffer, after a time in which as much could have come.
 */
export function bytesOverrun(count: number, sinceMs: number, characterMs: number): number {
  const isFull = count >= SYSTEM_BUFFER_BYTES && characterMs > 0;
  if (!isFull || sinceMs < SYSTEM_BUFFER_BYTES * characterMs) return 0;
  return Math.floor(sinceMs / characterMs) - count;
}
