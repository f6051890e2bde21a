// The header in front of each picture of kSA 400: stills (.img) hold one, movies (.imm) one after the other.
//
// Source: read from a still of 640 x 480 (Image107.img, PARADIM): signature at byte 39, width at 49 and height at 321, both
// big-endian; the picture is 16 bit little-endian. Header lengths by signature are public knowledge of programs that read
// these files: KSA00F 640 bytes, KSA00J 685 bytes.

const SIGNATURE_AT = 39;
const WIDTH_AT = 49;
const HEIGHT_AT = 321;
const PIXEL_BYTES = 2;
/** Header length by signature, bytes. */
const HEADERS: ReadonlyMap<string, number> = new Map([
  ['KSA00F', 640],
  ['KSA00J', 685],
]);

/** First bytes of a file that must be there to tell. */
export const KSA_HEAD_BYTES = HEIGHT_AT + 2;

export interface KsaHeader {
  readonly signature: string;
  readonly headerBytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Header and picture together: the distance from frame to frame. */
  readonly strideBytes: number;
}

/**
 * Read the header of a kSA file.
 *
 * @param head - the first KSA_HEAD_BYTES of it.
 * @returns null when it is none.
 */
export function readKsaHeader(head: Uint8Array): KsaHeader | null {
  if (head.length < KSA_HEAD_BYTES) return null;
  const signature = String.fromCharCode(...head.subarray(SIGNATURE_AT, SIGNATURE_AT + 6));
  const headerBytes = HEADERS.get(signature);
  if (headerBytes === undefined) return null;
  const two = (at: number) => (head[at] as number) * 256 + (head[at + 1] as number);
  const [width, height] = [two(WIDTH_AT), two(HEIGHT_AT)];
  if (width === 0 || height === 0) return null;
  return { signature, headerBytes, width, height, strideBytes: headerBytes + width * height * PIXEL_BYTES };
}
