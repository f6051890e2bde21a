// A data folder is put back from an older copy, and the service holds what was sent since then: by the same queue as it went
// on, or by a new one that was made in its place. The log still has all rows, so they are read again.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fastClock } from '../fast-clock.ts';
import { LogAgentHere } from '../logs/log-agent.ts';
import { openServiceRig } from '../rigs/service-rig.ts';
import { tempFolder } from '../temp-folder.ts';

/** Waits of the agent are so much shorter. */
const SPEED = 20;

export interface Life {
  readonly resend: 'verify' | 'repeat';
  /** What a repeated chunk means to the service. */
  readonly repeat: 'append' | 'replace';
  /** Who sent what came after the copy was made. */
  readonly sender: 'same' | 'new';
  /** Rows written before the copy is made, after it, and after it was put back. */
  readonly rows: readonly [before: number, after: number, later: number];
  readonly pointsPerChunk: number;
}

/**
 * Live it; at the end every row of the log must be at the service once.
 *
 * @returns what the last drain printed.
 */
export async function putBackOlder({ resend, repeat, sender, rows, pointsPerChunk }: Life): Promise<string> {
  const { service, client } = await openServiceRig({ bench: { repeat } });
  const agent = new LogAgentHere({
    ...{ url: service.url, key: service.apiKey, service: `resend: ${resend}`, pointsPerChunk },
  });
  const copy = join(tempFolder('copy'), 'data');
  const [before, after, later] = rows;
  await agent.start();
  agent.write(before);
  const full = Math.floor(before / pointsPerChunk) * pointsPerChunk;
  await agent.until('sent as far as chunks are full', ({ streams }) => streams[0]?.pointsAcknowledged === full);
  await agent.stop();
  cpSync(agent.data, copy, { recursive: true });
  if (sender === 'new') rmSync(agent.data, { recursive: true });
  agent.write(after);
  await drain(agent);
  rmSync(agent.data, { recursive: true });
  cpSync(copy, agent.data, { recursive: true });
  agent.write(later);
  const said = await drain(agent);
  await agent.expectDelivered(client);
  return said;
}

async function drain(agent: LogAgentHere): Promise<string> {
  const { code, out, err } = await agent.drain({}, fastClock(SPEED));
  expect(code, `${out}\n${err}`).toBe(0);
  return out;
}
