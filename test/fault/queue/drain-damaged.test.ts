// Part A, row 13: a queue with chunks that wait is damaged, and drained. The last line and the exit code say what came of it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Chance } from '../../simulation/random.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgentHere } from '../../support/logs/log-agent.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { amount } from '../../support/run/effort.ts';

const ROWS = 400;
const FLIPS = 20;
const SPEED = 20;
const RUNS = amount(2, 5, 20);
const away = { do: 'instead', answer: { status: 503, headers: { 'retry-after': '1' }, body: '' } } as const;

/** An agent that read its log while nobody took it, and stopped; then bits of its queue turn over. */
async function damagedQueue(seed: number) {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url, () => away);
  const agent = new LogAgentHere({ url: middleman.url, key: service.apiKey, service: 'resend: verify' });
  agent.write(ROWS);
  await agent.start();
  await agent.until('all stored', ({ streams }) => streams[0]?.pointsStored === ROWS);
  await agent.stop();
  const path = join(agent.data, 'queue.db');
  const bytes = readFileSync(path);
  const chance = new Chance(seed);
  // Behind the header and the schema: those are other rows of the matrix.
  for (let n = 0; n < FLIPS; n++) {
    const at = chance.between(64 * 1024, bytes.length - 1);
    bytes[at] = (bytes[at] as number) ^ (1 << chance.between(0, 7));
  }
  writeFileSync(path, bytes);
  middleman.meet = () => 'pass';
  return { agent, client };
}

describe('13: the drain of a damaged queue', () => {
  test('says that all was delivered once it was: what is damaged is read from the log again', async () => {
    let whole = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const { agent, client } = await damagedQueue(seed);
      const { code, out, err } = await agent.drain({}, fastClock(SPEED));
      await agent.expectDelivered(client);
      expect(out).not.toMatch(/[1-9]\d* refused by the service/);
      expect(out.includes('Everything read was delivered.')).toBe(code === 0);
      // Where the damage took the names of all streams, nothing tells what else was lost.
      if (code !== 0)
        expect({ code, err, seed }).toMatchObject({ code: 3, err: expect.stringContaining('the queue was damaged') });
      whole += Number(code === 0);
    }
    expect(whole).toBeGreaterThan(0);
  });

  test('says that not all was delivered where the log is gone, and nothing of what is there is doubled', async () => {
    let lacking = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const { agent, client } = await damagedQueue(seed);
      rmSync(agent.log);
      const { code, out, err } = await agent.drain({}, fastClock(SPEED));
      const values = (await readDelivered(client)).get('x')?.map(({ value }) => value) ?? [];
      expect(new Set(values).size).toBe(values.length);
      expect({ isWhole: values.length === ROWS, seed }, `${out}\n${err}`).toEqual({ isWhole: code === 0, seed });
      expect(out.includes('Everything read was delivered.')).toBe(code === 0);
      if (code !== 0) lacking += 1;
    }
    expect(lacking).toBeGreaterThan(0);
  });
});
