// Each kind of counter against a real writer: a process of its own that writes images, movies, counters and lines at 30 and at
// 120 frames per second, drops frames, stands still, restarts and wraps around. What was counted is what was written.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { CounterOptions } from '../../../src-main/sources/rheed/readers/counter-options.ts';
import type { CounterPort, PortLine } from '../../../src-main/sources/rheed/readers/port-reader.ts';
import { openRheedSource, type RheedSourceOptions } from '../../../src-main/sources/rheed/rheed-source.ts';
import { MemorySink } from '../logs/log-sink.ts';
import { startCamera } from '../processes/camera.ts';
import { tempFolder } from '../temp-folder.ts';
import type { CameraKind, CameraPlan, CameraTruth } from './camera-player.ts';

const ZONE = 'America/New_York';
const nowhere = { pattern: null, field: null, lostField: null, timeField: null };

/** The settings of a counter of this kind. */
export function counterOf(kind: CameraKind, folder: string): CounterOptions {
  switch (kind) {
    case 'images':
      return { type: 'images', path: folder, match: '**/*_{frame}.bmp', timeFormat: null };
    case 'timed-images':
      return { type: 'images', path: folder, match: 'image_{time}.pgm', timeFormat: 'yyyy-MM-dd___HH-mm-ss.SSS' };
    case 'ksa-movie':
      return { type: 'movie', path: folder, match: '*.imm', strideBytes: null, headerBytes: 0 };
    case 'avi-movie':
      return { type: 'movie', path: folder, match: '*.avi', strideBytes: null, headerBytes: 0 };
    case 'tiff-movie':
      return { type: 'movie', path: folder, match: '*.tif', strideBytes: null, headerBytes: 0 };
    case 'counter-file':
      return {
        type: 'counter-file',
        path: join(folder, 'counter.txt'),
        ...nowhere,
        pattern: 'frames={frame} dropped={lost}',
      };
    case 'log':
      return {
        type: 'log',
        path: folder,
        match: '*.jsonl',
        lines: 'each-frame',
        ...nowhere,
        field: 'frame',
        timeField: 't',
      };
    case 'plain-log':
      return { type: 'log', path: folder, match: '*.log', lines: 'each-frame', ...nowhere, pattern: 'frame {frame} ' };
    case 'port':
      return { type: 'serial', port: 'tcp', ...nowhere, pattern: 'FC {frame} {lost}' };
  }
}

/** The lines of a TCP port, as a terminal server gives them. `onFirst`: called at the first one; no listener can be heard before it. */
function openTcp(port: number, onFirst: () => void): CounterPort {
  const socket = connect(port, '127.0.0.1');
  const lines: PortLine[] = [];
  const input = createInterface({ input: socket });
  input.once('line', onFirst);
  input.on('line', (text) => lines.push({ text, atMs: Date.now() }));
  onTestFinished(() => void socket.destroy());
  return { takeLines: () => lines.splice(0), close: () => void socket.destroy() };
}

/** Where a counter of this kind runs over; null: it has no end. */
const ENDS: Readonly<Record<CameraKind, number | null>> = {
  images: 10_000,
  log: 65_536,
  'counter-file': 65_536,
  port: 65_536,
  'timed-images': null,
  'ksa-movie': null,
  'avi-movie': null,
  'tiff-movie': null,
  'plain-log': null,
};

/**
 * What the camera does: `short` loses frames and runs over, which shows in what it writes; `whole` stands still and restarts
 * besides, which shows in when it does: a machine that stops a process for seconds shows something else.
 */
export type PlanLength = 'short' | 'whole';

function planOf(kind: CameraKind, fps: number, folder: string, length: PlanLength): CameraPlan & { zone: string } {
  const end = ENDS[kind];
  const frames = (seconds: number) => ({ kind: 'frames', count: Math.round(seconds * fps) }) as const;
  const isWhole = length === 'whole';
  const firstNumber = end === null ? 0 : end - Math.round((isWhole ? 3.2 : 2) * fps);
  const timed: CameraPlan['deeds'] = [
    { kind: 'stall', ms: 6500 },
    // The number runs over in here, where it has an end, and comes farther than it does after the restart.
    frames(3),
    { kind: 'stall', ms: 6500 },
    { kind: 'restart' },
    frames(1.5),
    { kind: 'lose', count: 2 },
    frames(0.5),
  ];
  return {
    ...{ kind, folder, fps, zone: ZONE, firstNumber, rollsOverAt: end },
    deeds: [
      frames(1.5),
      { kind: 'lose', count: 3 },
      frames(1),
      { kind: 'lose', count: 1 },
      frames(0.5),
      ...(isWhole ? timed : []),
    ],
  };
}

/** Runs a source until it is told to stop. */
function startSource(options: RheedSourceOptions, sink = new MemorySink()) {
  const stop = new AbortController();
  const done = openRheedSource(options).run(sink, stop.signal);
  const end = async () => {
    stop.abort();
    await done;
  };
  onTestFinished(end);
  done.catch(() => {}); // Told by `end`.
  return { sink, end, done };
}

export const KINDS: readonly CameraKind[] = [
  'images',
  'timed-images',
  'ksa-movie',
  'avi-movie',
  'counter-file',
  'log',
  'port',
];
const lastOf = (sink: MemorySink, channel: string) => sink.values(channel).at(-1) ?? 0;

interface Played {
  readonly truth: CameraTruth;
  readonly sink: MemorySink;
  /** What should have been counted. */
  readonly counted: number;
}

/** Play a plan in front of a source. */
async function play(kind: CameraKind, fps: number, length: PlanLength): Promise<Played> {
  const folder = tempFolder(`rheed-${kind}`);
  const plan = planOf(kind, fps, folder, length);
  const camera = kind === 'port' ? startCamera(plan) : null;
  const port = camera ? await camera.port : 0;
  // A counter that is there already: where it stands is where counting begins.
  const before = `frames=${plan.firstNumber - 1} dropped=0\n`;
  if (kind === 'counter-file') writeFileSync(join(folder, 'counter.txt'), before);
  const looked = Promise.withResolvers<void>();
  const { sink, end } = startSource({
    ...{ id: 'camera', counter: counterOf(kind, folder), fps, timeZone: ZONE },
    openPort: () => openTcp(port, () => camera?.begin()),
    onCounter: () => looked.resolve(),
    // A camera that a busy machine holds up for seconds does not stand still yet.
    stallAfterMs: 5000,
    // A register that is only looked at now and then: on a busy machine seconds lie between two looks.
    rollsOverAt: kind === 'counter-file' ? 65_536 : null,
  });
  // The source has looked once, so that what comes is new.
  if (!camera) await looked.promise;
  const truth = await (camera ?? startCamera(plan)).truth;
  // The first value that a port tells is where counting begins.
  const counted = truth.written - (kind === 'port' ? 1 : 0);
  const isThrough = () => lastOf(sink, 'frames counted') >= counted && lastOf(sink, 'frame rate') === 0;
  await Promise.race([sink.until(isThrough), setTimeout(60_000)]);
  await end();
  return { truth, sink, counted };
}

/** All kinds side by side: they wait for each other's cameras most of the time. */
const played = new Map<string, Promise<Map<CameraKind, Played>>>();
function playAll(fps: number, length: PlanLength): Promise<Map<CameraKind, Played>> {
  const name = `${fps} ${length}`;
  const all = async () =>
    new Map(await Promise.all(KINDS.map(async (kind) => [kind, await play(kind, fps, length)] as const)));
  const known = played.get(name) ?? all();
  played.set(name, known);
  return known;
}

/** What a source of this kind counted of what a camera wrote at this rate is what was written, with every loss named. */
export async function expectCounted(kind: CameraKind, fps: number, length: PlanLength): Promise<void> {
  const { truth, sink, counted } = (await playAll(fps, length)).get(kind) as Played;
  // A restarted recording shows by its numbers; where there are none, by the stall before it alone.
  const stallsSeen = length === 'short' ? 0 : kind === 'timed-images' ? 2 : 1;
  const texts = sink.marks.map(({ text }) => text);
  expect(lastOf(sink, 'frames counted'), texts.join('\n')).toBe(counted);
  expect(
    texts.filter((text) => text.includes('goes on after')),
    texts.join('\n'),
  ).toHaveLength(stallsSeen);
  expect(lastOf(sink, 'restarts')).toBe(kind === 'timed-images' ? 0 : truth.restarts);
  expect(lastOf(sink, 'rollovers')).toBe(truth.rollovers);
  expect(truth.rollovers).toBe(ENDS[kind] === null ? 0 : 1);
  if (kind !== 'ksa-movie') {
    expect(lastOf(sink, 'frames lost')).toBe(truth.lost);
    expect(lastOf(sink, 'frames expected')).toBe(counted + truth.lost);
  }
  expectNamed(kind, texts, truth);
  for (const channel of ['frames counted', 'frame rate', 'frames lost per mille']) {
    expect(Math.min(...sink.values(channel), 0), channel).toBe(0);
  }
  const counts = sink.values('frames counted');
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  const stamps = sink.points('frames counted').map(({ timeMs }) => timeMs);
  expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
}

function expectNamed(kind: CameraKind, texts: readonly string[], truth: CameraTruth): void {
  const lost = texts.filter((text) => text.includes('lost'));
  if (kind === 'images' || kind === 'log') {
    const number = (value: number) => value.toLocaleString('en-US');
    const named = truth.lostRanges.map(([from, to]) =>
      from === to
        ? `1 frame lost: frame ${number(from)}`
        : `${to - from + 1} frames lost: frames ${number(from)} to ${number(to)}`,
    );
    expect(lost).toEqual(named);
  } else if (kind === 'ksa-movie') {
    // Its frames carry neither number nor time: it cannot tell what is not there.
    expect(lost).toEqual([]);
  } else {
    const counts = lost.map((text) => Number.parseInt(text, 10));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(truth.lost);
    if (kind === 'timed-images') expect(lost.every((text) => / lost between .* and /.test(text))).toBe(true);
  }
}
