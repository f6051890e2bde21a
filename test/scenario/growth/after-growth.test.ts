// growth.after: a file is written once a growth has ended, tried again while its folder is away, also after a restart.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src-main/agent/agent.ts';
import { GrowthRig, until } from '../../support/rigs/growth-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Time of the agent runs so much faster: it waits 10 s and more before it tries again. */
const SPEED = 20;

async function openRig(share: string) {
  const more = `growth: { after: [{ export: csv, to: '${share}' }] }\n`;
  return GrowthRig.open({ hasCamera: false, hasSimulator: false, more, speed: SPEED });
}

async function grow(rig: GrowthRig, agent: Agent, name: string): Promise<void> {
  const { id } = await agent.handlers.growth.start({ name });
  for (let n = 0; n < 7; n++) rig.writeRow(rig.clock.nowMs(), n / 3);
  await until('the readings are in', async () => {
    const growth = await agent.handlers.growth.read({ growthId: id });
    return growth?.parts.flatMap(({ streams }) => streams).some(({ points }) => points === 7);
  });
  await agent.handlers.growth.end(null);
}

const told = (agent: Agent, code: string) =>
  until(`the journal says ${code}`, () => agent.snapshot.journal.find((entry) => entry.code === code));

test('a growth is exported after its end, and the journal says where', async () => {
  const share = tempFolder('share');
  const rig = await openRig(share);
  const agent = await rig.start();
  await grow(rig, agent, 'G-1');
  const { message } = await told(agent, 'growth.exported');
  const file = join(share, 'G-1.csv');
  expect(message).toBe(`Growth "G-1" was exported: 7 points to ${file}.`);
  expect(readFileSync(file, 'utf8').trim().split('\r\n').at(-1)).toMatch(/,2$/);
  expect(readdirSync(share)).toEqual(['G-1.csv']);
});

test('while the share is away it waits, and a restart does not forget it', async () => {
  const share = join(tempFolder('away'), 'share');
  const rig = await openRig(share);
  const agent = await rig.start();
  await grow(rig, agent, 'G-2');
  const { message, hint } = await told(agent, 'growth.export-waits');
  expect(message).toContain(share);
  expect(hint).toContain('tries again');
  expect(`${message} ${hint}`).not.toMatch(/bug|unexpected/i);
  await agent.stop();

  const next = await rig.start();
  mkdirSync(share);
  await told(next, 'growth.exported');
  expect(readdirSync(share)).toEqual(['G-2.csv']);
  await next.stop();

  // What is done is not done again.
  const last = await rig.start();
  await grow(rig, last, 'G-3');
  const files = () => readdirSync(share).toSorted();
  // It bears its name a moment before its `.part` is gone.
  await until('the next one is written', () => files().includes('G-3.csv') && !files().includes('G-3.csv.part'));
  expect(files()).toEqual(['G-2.csv', 'G-3.csv']);
});
