// What a picture is by its first bytes. Its name and what the service says of it are text from outside; these bytes are
// what a browser will draw.

export interface PictureFacts {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly widthPx: number;
  readonly heightPx: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Look at the first bytes of a picture.
 * Source: PNG 3rd edition 11.2.1, ITU-T T.81 B.2.2, GIF89a 18.
 *
 * @param bytes - the whole file.
 * @returns kind and size in pixels; null when it is neither PNG, JPEG nor GIF, or is cut.
 */
export function readPictureFacts(bytes: Uint8Array): PictureFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (PNG.every((byte, at) => bytes[at] === byte)) {
    if (bytes.length < 24) return null;
    return { mediaType: 'image/png', widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
  }
  if (/^GIF8[79]a$/.test(String.fromCharCode(...bytes.subarray(0, 6)))) {
    if (bytes.length < 10) return null;
    return { mediaType: 'image/gif', widthPx: view.getUint16(6, true), heightPx: view.getUint16(8, true) };
  }
  return readJpeg(view);
}

/** Walk the segments of a JPEG up to its frame header, which holds the size. */
function readJpeg(view: DataView): PictureFacts | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    // SOF0 to SOF15, without the three of that row that are tables (DHT, JPG, DAC).
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { mediaType: 'image/jpeg', heightPx: view.getUint16(at + 5), widthPx: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
