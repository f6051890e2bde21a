// File names that the service gives are text from outside. What is saved under them must stay in its folder, on every
// system the agent runs on, so Windows' rules hold everywhere.

/** Longest name that is given to a file, bytes of UTF-8. */
const NAME_MAX_BYTES = 180;

/** Control characters, and those that change the direction of what follows: `exe.txt` could read `txt.exe`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

function cutTo(text: string, maxBytes: number): string {
  let kept = '';
  let sizeBytes = 0;
  for (const character of text) {
    sizeBytes += Buffer.byteLength(character);
    if (sizeBytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

/** Windows leaves dots and spaces out at the end of a name. */
const withoutEnd = (text: string) => text.replace(/[. ]+$/, '');

/**
 * Make a name that is safe to save under.
 *
 * @param original - a name or path as the service gave it, such as `GaAs/AlAs 3.csv`.
 * @returns all of its parts, joined by underscores, at most 180 bytes, never empty, without anything that a file system takes as
 *   a path, a stream, a device or a hidden file. Show the original beside it.
 */
export function safeFileName(original: string): string {
  const parts = original.normalize('NFC').split(/[\\/]/);
  const joined = parts.filter((part) => !/^[. ]*$/.test(part)).join('_');
  const plain = withoutEnd(joined.replace(INVISIBLE, '').replace(/[<>:"|?*]/g, '_')).replace(/^[. ]+/, '_');
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 ? withoutEnd(cutTo(plain.slice(dot), 20)) : '';
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  // One byte less, for what may stand before a device.
  const named = `${withoutEnd(cutTo(stem, NAME_MAX_BYTES - 1 - Buffer.byteLength(extension)))}${extension}`;
  // What was left out may leave a device: `con .txt` is `con.txt`.
  return (DEVICE.test(named) ? `_${named}` : named) || 'file';
}

/**
 * Make the name of a file that is written here after something that a person named, such as `GaAs/AlAs 3`.
 *
 * @param name - no path: all of it counts.
 * @param ending - what comes behind it, such as ` (2).csv`; kept whole however long the name is.
 * @returns as `safeFileName`.
 */
export function nameOfFile(name: string, ending: string): string {
  const plain = name
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replaceAll(/[\\/]/g, '_')
    .replace(/^[. ]+/, '_');
  return safeFileName(cutTo(plain || 'file', NAME_MAX_BYTES - 1 - Buffer.byteLength(ending)) + ending);
}
