/** Where the bytes of raw files and frames lie. */
export interface FileBytes {
  /** Store bytes for good. Storing the same again replaces it. */
  add(fileUuid: string, bytes: Uint8Array): Promise<void>;
  /** How many there are; null: none at all. */
  size(fileUuid: string): Promise<number | null>;
  /** Read them, in pieces. */
  read(fileUuid: string): AsyncIterable<Uint8Array>;
  /** Say where they lie, for a message. */
  place(fileUuid: string): string;
}

/** Refuse a name that would lead out of the place of files. */
export function checkFileUuid(fileUuid: string): string {
  if (!/^[0-9A-Za-z-]{1,64}$/.test(fileUuid)) throw new Error(`Not an identifier of a file: ${fileUuid}`);
  return fileUuid;
}
