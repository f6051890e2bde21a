// Movies and logs that rotate, are renamed, grow beside others, or were there before: each frame counts once.
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ksa, lines, logs, movies } from '../../../../support/rheed/watched-frames.ts';

test('generations .1 .2 .3 that move up are not counted again', async () => {
  const { counted, file } = logs();
  await counted();
  let written = 0;
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    writeFileSync(file('events.log'), lines(written, 3));
    written += 3;
    await counted();
    seen.push(await counted());
    for (let at = 4; at > 0; at--)
      if (existsSync(file(`events.log.${at}`))) renameSync(file(`events.log.${at}`), file(`events.log.${at + 1}`));
    renameSync(file('events.log'), file('events.log.1'));
  }
  expect(seen).toEqual([3, 6, 9, 12]);
});

test('one former log, written over by each rotation, is not counted again', async () => {
  const { counted, file } = logs();
  await counted();
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    writeFileSync(file('camera.log'), lines(round * 3, 3));
    await counted();
    seen.push(await counted());
    renameSync(file('camera.log'), file('camera.old.log'));
  }
  expect(seen).toEqual([3, 6, 9, 12]);
});

test('the same with movies: current and previous', async () => {
  const { counted, file } = movies();
  await counted();
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    writeFileSync(file('current.imm'), ksa(3 + round));
    await counted();
    seen.push(await counted());
    renameSync(file('current.imm'), file('previous.imm'));
  }
  expect(seen).toEqual([3, 7, 12, 18]);
});

test('six logs that are there at the first look are not counted by the next walk', async () => {
  const { counted, write } = logs();
  for (let at = 0; at < 6; at++) write(`log-${at}.jsonl`, lines(0, 10));
  expect(await counted()).toBe(0);
  expect(await counted()).toBe(0);
  expect(await counted()).toBe(0);
});

test.each([
  ['movies', () => movies(), (at: number) => ({ name: `m${at}.imm`, bytes: ksa(3) })],
  ['logs', () => logs(), (at: number) => ({ name: `l${at}.log`, bytes: Buffer.from(lines(0, 3)) })],
])('a folder of six %s that gets another name is not counted again', async (_, open, one) => {
  const { counted, write, file } = open();
  await counted();
  for (let at = 0; at < 6; at++) {
    const { name, bytes } = one(at);
    write(`today/${name}`, bytes);
    await counted();
  }
  expect(await counted()).toBe(18);
  renameSync(file('today'), file('2026-11-22'));
  await counted();
  expect(await counted()).toBe(18);
});

test('six movies of before the first look, whose folder gets another name, are not counted', async () => {
  const { counted, write, file } = movies();
  for (let at = 0; at < 6; at++) write(`old/m${at}.imm`, ksa(3));
  expect(await counted()).toBe(0);
  renameSync(file('old'), file('older'));
  await counted();
  expect(await counted()).toBe(0);
});

test('a name of a movie of before the first look that is used again counts', async () => {
  const { counted, write } = movies();
  for (let at = 0; at < 6; at++) write(`m${at}.imm`, ksa(5));
  expect(await counted()).toBe(0);
  write('m0.imm', ksa(2));
  await counted();
  expect(await counted()).toBe(2);
  write('m0.imm', ksa(4));
  expect(await counted()).toBe(4);
});

test('a movie that grows is followed, though four small texts are put beside it', async () => {
  const { counted, write, file } = movies();
  await counted();
  write('run.imm', ksa(3));
  expect(await counted()).toBe(3);
  for (let at = 0; at < 4; at++) {
    write(`note-${at}.txt`, `sample ${at}`);
    await counted();
  }
  appendFileSync(file('run.imm'), ksa(2));
  expect(await counted()).toBe(5);
});

test('a movie that grows is followed, though four stills are saved beside it', async () => {
  const { counted, write, file } = movies();
  await counted();
  write('run.imm', ksa(3));
  expect(await counted()).toBe(3);
  for (let at = 0; at < 4; at++) {
    write(`still-${at}.img`, ksa(1));
    await counted();
  }
  appendFileSync(file('run.imm'), ksa(2));
  expect(await counted()).toBe(3 + 4 + 2);
});

function avi(frames: number): Buffer {
  const head = Buffer.concat([Buffer.from('RIFF\0\0\0\0AVI ', 'latin1'), Buffer.from('LIST\0\0\0\0movi', 'latin1')]);
  const chunk = Buffer.from('00dc\x02\0\0\0ab', 'latin1');
  return Buffer.concat([head, ...Array.from({ length: frames }, () => chunk)]);
}

test('a long AVI that is there at the first look is not counted by later ones', async () => {
  const { counted, write, file } = movies();
  write('a.avi', avi(45_000));
  expect(await counted()).toBe(0);
  expect(await counted()).toBe(0);
  expect(await counted()).toBe(0);
  appendFileSync(file('a.avi'), avi(5).subarray(24));
  expect(await counted()).toBe(5);
});

test('six movies of while the agent was away are all counted', async () => {
  const { counted, write, away, pass } = movies();
  await counted();
  const back = away();
  pass(60_000);
  for (let at = 0; at < 6; at++) write(`m${at}.imm`, ksa(3));
  back();
  await counted();
  expect(await counted()).toBe(18);
});

test.each([
  ['movies', () => movies(), 'imm', ksa(3)],
  ['logs', () => logs(), 'log', lines(0, 3)],
] as const)(
  '%s of one size that are deleted as new ones come count, though the disk numbers them alike',
  async (...args) => {
    const [, open, ending, bytes] = args;
    const { counted, write, file } = open();
    await counted();
    for (let at = 0; at < 12; at++) {
      write(`${at}.${ending}`, bytes);
      await counted();
      if (at >= 5) rmSync(file(`${at - 5}.${ending}`));
    }
    expect(await counted()).toBe(36);
  },
);

test.each([
  ['while the agent was away', true],
  ['at once', false],
])('six long AVIs that come %s are counted to their ends', async (_, isAway) => {
  const { counted, write, away, pass } = movies();
  await counted();
  const back = isAway ? away() : () => {};
  pass(60_000);
  for (let at = 0; at < 6; at++) write(`m${at}.avi`, avi(45_000));
  back();
  for (let looks = 0; looks < 8; looks++) await counted();
  expect(await counted()).toBe(270_000);
});

test('eight generations of a log that is written to right before it is rotated are counted once', async () => {
  const { counted, file } = logs();
  await counted();
  let written = 0;
  for (let round = 0; round < 8; round++) {
    if (round > 0) appendFileSync(file('m'), lines(1000 * round - 500, 3));
    for (let at = 6; at > 0; at--) if (existsSync(file(`m.${at}`))) renameSync(file(`m.${at}`), file(`m.${at + 1}`));
    if (round > 0) renameSync(file('m'), file('m.1'));
    writeFileSync(file('m'), lines(1000 * round, 2 + round));
    written += 2 + round + (round > 0 ? 3 : 0);
    for (let looks = 0; looks < 2; looks++) await counted();
    expect(await counted()).toBe(written);
  }
});

test('a movie in the place of one that was done and deleted counts whole', async () => {
  const { counted, write, file } = movies();
  await counted();
  for (let at = 0; at < 6; at++) {
    write(`m${at}.imm`, ksa(3));
    await counted();
  }
  rmSync(file('m0.imm'));
  write('m0.imm', ksa(5));
  await counted();
  expect(await counted()).toBe(23);
});

test.each([
  ['movies', () => movies(), (round: number) => ksa(2 + round), 2],
  ['logs whose lines say where the counter stands', () => logs('value'), (round: number) => lines(1, 2 + round), 2],
] as const)('eight generations of %s that move up are counted once', async (_, open, bytes, least) => {
  const { counted, file } = open();
  await counted();
  let written = 0;
  for (let round = 0; round < 8; round++) {
    for (let at = 7; at > 0; at--) if (existsSync(file(`m.${at}`))) renameSync(file(`m.${at}`), file(`m.${at + 1}`));
    if (round > 0) renameSync(file('m'), file('m.1'));
    writeFileSync(file('m'), bytes(round));
    written += least + round;
    await counted();
    expect(await counted()).toBe(written);
  }
});

test.each([
  ['movies', () => movies(), (count: number) => ksa(count)],
  [
    'logs whose lines say where the counter stands',
    () => logs('value'),
    (count: number) => Buffer.from(lines(1, count)),
  ],
] as const)(
  'of six %s of before the first look, the oldest of which goes on, only what is new counts',
  async (...args) => {
    const [, open, bytes] = args;
    const { counted, write, file } = open();
    for (let at = 0; at < 6; at++) write(`m${at}`, bytes(5));
    await counted();
    appendFileSync(file('m0'), bytes(7).subarray(bytes(5).length));
    await counted();
    expect(await counted()).toBe(2);
  },
);
