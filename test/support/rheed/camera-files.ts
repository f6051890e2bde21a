// What a RHEED camera program leaves behind, in each of the ways in which such programs do: one writer a kind. Pictures are
// small and never alike.
import { Buffer } from 'node:buffer';
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeImageWriter } from '../../../src-main/sources/simulator/camera-images.ts';
import { makeNoise } from '../../../src-main/sources/simulator/seeded-noise.ts';

export type CameraKind =
  | 'images'
  | 'timed-images'
  | 'ksa-movie'
  | 'avi-movie'
  | 'tiff-movie'
  | 'counter-file'
  | 'log'
  | 'plain-log'
  | 'port';

/** Takes frames as a camera program does. Numbers are the counter's own. */
export interface CameraFiles {
  /** A frame at a time, Unix milliseconds. */
  write(number: number, timeMs: number): void;
  /** A frame that the program knows it dropped. */
  lose(number: number): void;
  /** The recording begins again. */
  restart(): void;
  close(): void;
}

const WIDTH = 32;
const HEIGHT = 24;
const noise = makeNoise(7, 'camera');

/** A picture of noise, 8 bit. */
function picture(seed: number, bytes: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => 128 + 40 * noise(seed * 4096 + at)));
}

/** Numbered images that a restart writes over. */
function numberedImages(folder: string): CameraFiles {
  return {
    write: makeImageWriter(folder),
    lose: () => {},
    restart: () => {},
    close: () => {},
  };
}

/** Local time in the name, as `image_2025-12-22___15-39-57.878.pgm`. */
function timedImages(folder: string, toLocal: (timeMs: number) => Date): CameraFiles {
  let seed = 0;
  return {
    write(_, timeMs) {
      const [day, time] = toLocal(timeMs).toISOString().replace('Z', '').split('T') as [string, string];
      const name = `image_${day}___${time.replaceAll(':', '-')}.pgm`;
      const head = Buffer.from(`P5\n${WIDTH} ${HEIGHT}\n255\n`);
      writeFileSync(join(folder, name), Buffer.concat([head, picture(seed++, WIDTH * HEIGHT)]));
    },
    lose: () => {},
    restart: () => {},
    close: () => {},
  };
}

/** A file that each restart opens again. */
function openNext(folder: string, end: string) {
  let runs = 0;
  let file: number | null = null;
  return {
    get: () => {
      file ??= openSync(join(folder, `movie-${++runs}.${end}`), 'wx');
      return file;
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

const KSA_HEAD = 640;

/** The header in front of each picture of kSA 400. Source: a still of 640 x 480, see sources/rheed/readers/ksa-header.ts. */
export function ksaFrame(width: number, height: number, seed: number): Buffer {
  const head = Buffer.alloc(KSA_HEAD);
  head.writeUInt8(1, 0);
  head.write('KSA00F', 39, 'latin1');
  head.writeUInt16BE(width, 49);
  head.writeUInt16BE(height, 321);
  return Buffer.concat([head, picture(seed, width * height * 2)]);
}

/** A movie of kSA 400 frames. The header of the next picture stands there before the picture: it never ends with a frame. */
function ksaMovie(folder: string): CameraFiles {
  const movie = openNext(folder, 'imm');
  let next = ksaFrame(WIDTH, HEIGHT, 0);
  let seed = 0;
  return {
    write() {
      const frame = next;
      const isFirst = seed === 0;
      seed += 1;
      next = ksaFrame(WIDTH, HEIGHT, seed);
      writeSync(movie.get(), Buffer.concat([isFirst ? frame : frame.subarray(KSA_HEAD), next.subarray(0, KSA_HEAD)]));
    },
    lose: () => {},
    restart() {
      movie.close();
      seed = 0;
    },
    close: () => movie.close(),
  };
}

function chunk(id: string, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}

/** An AVI whose sizes stand as 0 until it is closed, and whose index comes at its end. */
function aviMovie(folder: string): CameraFiles {
  const movie = openNext(folder, 'avi');
  let seed = 0;
  let index: Buffer[] = [];
  let at = 0;
  const put = (bytes: Buffer) => {
    writeSync(movie.get(), bytes);
    at += bytes.length;
  };
  const begin = () => {
    if (at > 0) return;
    const avih = chunk('avih', Buffer.alloc(56));
    const open = (id: string, kind: string) => Buffer.from(`${id}\0\0\0\0${kind}`, 'latin1');
    const list = Buffer.concat([Buffer.from('hdrl', 'latin1'), avih]);
    put(Buffer.concat([open('RIFF', 'AVI '), chunk('LIST', list), open('LIST', 'movi')]));
  };
  const add = (bytes: Buffer) => {
    begin();
    const entry = Buffer.alloc(16);
    entry.write('00dc', 0, 'latin1');
    entry.writeUInt32LE(at, 8);
    entry.writeUInt32LE(bytes.length, 12);
    index.push(entry);
    put(chunk('00dc', bytes));
  };
  const close = () => {
    if (at > 0) put(chunk('idx1', Buffer.concat(index)));
    movie.close();
    [at, index] = [0, []];
  };
  return {
    // Compressed pictures differ in size, and some have an odd one.
    write: () => add(picture(seed, 200 + (seed++ % 7))),
    lose: () => add(Buffer.alloc(0)),
    restart: close,
    close,
  };
}

/** A page of a TIFF as libtiff appends it: the picture in two strips, then its directory, of `at` bytes before it. */
export function tiffPage(seed: number, at: number): { bytes: Buffer; directoryAt: number; nextAt: number } {
  const strips = [picture(seed, 300 + (seed % 5)), picture(seed + 1, 200)];
  const lists = Buffer.alloc(16);
  lists.writeUInt32LE(at, 0);
  lists.writeUInt32LE(at + (strips[0]?.length ?? 0), 4);
  lists.writeUInt32LE(strips[0]?.length ?? 0, 8);
  lists.writeUInt32LE(strips[1]?.length ?? 0, 12);
  const listsAt = at + strips.reduce((sum, { length }) => sum + length, 0);
  const entries: readonly (readonly [number, number])[] = [
    [273, listsAt],
    [279, listsAt + 8],
  ];
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, placeAt]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * index);
    directory.writeUInt16LE(4, 4 + 12 * index);
    directory.writeUInt32LE(2, 6 + 12 * index);
    directory.writeUInt32LE(placeAt, 10 + 12 * index);
  }
  const directoryAt = listsAt + lists.length;
  const bytes = Buffer.concat([...strips, lists, directory]);
  return { bytes, directoryAt, nextAt: directoryAt + directory.length - 4 };
}

/** A TIFF of many pages: a page is appended, then its place is written into the one before. */
function tiffMovie(folder: string): CameraFiles {
  const movie = openNext(folder, 'tif');
  let [seed, at, nextAt] = [0, 0, 4];
  return {
    write() {
      const file = movie.get();
      if (at === 0) at += writeSync(file, Buffer.from('II*\0\0\0\0\0', 'latin1'));
      const page = tiffPage(seed++, at);
      const place = Buffer.alloc(4);
      place.writeUInt32LE(page.directoryAt);
      at += writeSync(file, page.bytes, 0, page.bytes.length, at);
      writeSync(file, place, 0, 4, nextAt);
      nextAt = page.nextAt;
    },
    lose: () => {},
    restart() {
      movie.close();
      [at, nextAt] = [0, 4];
    },
    close: () => movie.close(),
  };
}

/** A register that counts the frames it was given, and those that were dropped beside them. */
class Register {
  readonly #rollsOverAt: number | null;
  #frames: number | null = null;
  lost = 0;

  constructor(rollsOverAt: number | null) {
    this.#rollsOverAt = rollsOverAt;
  }

  /** Count a frame; the first one sets the register. */
  count(number: number): number {
    this.#frames = this.#frames === null ? number : this.#frames + 1;
    if (this.#frames === this.#rollsOverAt) this.#frames = 0;
    return this.#frames;
  }

  clear(): void {
    this.#frames = 0;
    this.lost = 0;
  }
}

/** One number, written over in place, with the count of dropped frames beside it. */
function counterFile(folder: string, rollsOverAt: number | null): CameraFiles {
  const path = join(folder, 'counter.txt');
  const register = new Register(rollsOverAt);
  return {
    write: (number) => writeFileSync(path, `frames=${register.count(number)} dropped=${register.lost}\n`),
    lose() {
      register.lost += 1;
    },
    restart: () => register.clear(),
    close: () => {},
  };
}

/** A JSON line for each frame. */
function jsonLog(folder: string): CameraFiles {
  const path = join(folder, 'events.jsonl');
  return {
    write: (number, timeMs) =>
      appendFileSync(path, `${JSON.stringify({ event: 'frame', frame: number, t: timeMs / 1000 })}\n`),
    lose: () => {},
    restart: () => {},
    close: () => {},
  };
}

/** A line of text for each frame, without a time. */
function plainLog(folder: string): CameraFiles {
  const path = join(folder, 'camera.log');
  return {
    write: (number) => appendFileSync(path, `frame ${number} written\n`),
    lose: () => {},
    restart: () => {},
    close: () => {},
  };
}

/** A register that talks on a TCP port, as a terminal server gives it: half a line first, as after plugging in. */
function counterPort(rollsOverAt: number | null, onListening: (port: number) => void): CameraFiles {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    socket.on('close', () => sockets.delete(socket));
    socket.write('21\r\n');
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') onListening(address.port);
  });
  const register = new Register(rollsOverAt);
  return {
    write(number) {
      const line = `FC ${register.count(number)} ${register.lost}\r\n`;
      for (const socket of sockets) socket.write(line);
    },
    lose() {
      register.lost += 1;
    },
    restart: () => register.clear(),
    close() {
      for (const socket of sockets) socket.end();
      server.close();
    },
  };
}

export interface CameraFilesOptions {
  readonly kind: CameraKind;
  /** Made when it is not there. */
  readonly folder: string;
  /** Local time, told as if it were UTC, for times in names. */
  readonly toLocal?: (timeMs: number) => Date;
  readonly onListening?: (port: number) => void;
  /** The number after which 0 follows, plus one; null: never. */
  readonly rollsOverAt: number | null;
}

/** Begin to write as a camera program of this kind does. */
export function openCameraFiles(options: CameraFilesOptions): CameraFiles {
  const { kind, folder, toLocal, onListening, rollsOverAt } = options;
  mkdirSync(folder, { recursive: true });
  switch (kind) {
    case 'images':
      return numberedImages(folder);
    case 'timed-images':
      return timedImages(folder, toLocal ?? ((timeMs) => new Date(timeMs)));
    case 'ksa-movie':
      return ksaMovie(folder);
    case 'avi-movie':
      return aviMovie(folder);
    case 'tiff-movie':
      return tiffMovie(folder);
    case 'counter-file':
      return counterFile(folder, rollsOverAt);
    case 'log':
      return jsonLog(folder);
    case 'plain-log':
      return plainLog(folder);
    case 'port':
      return counterPort(rollsOverAt, onListening ?? (() => {}));
  }
}
