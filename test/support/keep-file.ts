import { type IncomingFile, readWhole } from '../../src-main/delivery/client/incoming-file.ts';

/** Reads a file of the service into memory, with the name that the service gave it. */
export const keepFile = async (file: IncomingFile) => ({ name: file.originalName, bytes: await readWhole(file) });
