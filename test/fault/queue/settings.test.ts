// Part A, row 20: the power goes while the settings are saved, and a settings file that a cut left torn.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../src-main/settings/read-settings.ts';
import { Chance } from '../../simulation/random.ts';
import { findShimObstacle, recordScript } from '../../support/faults/fault-shim.ts';
import { readOperations } from '../../support/faults/power-cut.ts';
import { cutReplacing } from '../../support/faults/replace-cut.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const obstacle = findShimObstacle();
if (obstacle) console.error(`row 20 of the fault matrix: ${obstacle}`);
const SCRIPT = join(import.meta.dirname, '../../support/processes/settings-process.ts');
const SAVES = 12;
const DRAWN = 4;

/** What was written by saving again and again, cut at every moment, and what the agent then reads. */
async function cutSaves(way: 'whole' | 'in-place') {
  const folder = join(tempFolder('settings'), 'saved');
  const file = join(folder, 'epistream.yaml');
  const log = join(dirname(folder), 'record.log');
  mkdirSync(folder);
  const recorded = await recordScript({ match: 'saved/', folder, log }, SCRIPT, [file, way, String(SAVES)]);
  const laid = join(folder, 'laid.yaml');
  const found: { confirmed: number; save: number; states: number } = { confirmed: 0, save: 0, states: 0 };
  const wrong: string[] = [];
  for (const { at, confirmed, files } of cutReplacing(readOperations(recorded), new Chance(20), DRAWN)) {
    found.states += 1;
    found.confirmed = confirmed;
    const bytes = files.get('epistream.yaml');
    if (confirmed === 0) continue;
    writeFileSync(laid, bytes ?? '');
    const name = await readSettings(laid).then(
      ({ tool, sources }) => `${tool.name} with ${sources.length}`,
      (fault: { code: string }) => fault.code,
    );
    const whole = (save: number) => `save ${save} with ${1 + (save % 5)}`;
    if (name !== whole(confirmed) && name !== whole(confirmed + 1)) wrong.push(`${at}: ${name} after ${confirmed}`);
  }
  return { wrong, ...found };
}

describe.skipIf(obstacle !== null)('20: a power cut while settings are saved', () => {
  test('leaves those of the last save that was done or of the next, whole, in every state of the disk', async () => {
    const { wrong, states, confirmed } = await cutSaves('whole');
    expect(confirmed).toBe(SAVES);
    expect(states).toBeGreaterThan(SAVES * 5 * DRAWN);
    expect(wrong).toEqual([]);
  });

  test('does tear a file that is written in place, so the test above can fail', async () => {
    const { wrong } = await cutSaves('in-place');
    expect(wrong.length).toBeGreaterThan(20);
  });
});

describe('20: settings that a cut left torn', () => {
  test.each([
    ['empty', () => ''],
    ['full of zeros', (text: string) => '\0'.repeat(text.length)],
    ['cut off', (text: string) => text.slice(0, text.indexOf('sources') + 30)],
  ])('%s: recording goes on with those of the last run, says so, and leaves the file as it is', async (_, tear) => {
    const { service, client } = await openServiceRig();
    const agent = new LogAgent({ url: service.url, service: 'resend: repeat', key: service.apiKey });
    agent.write(10);
    expect((await agent.drain()).code).toBe(0);
    const torn = tear(readFileSync(agent.config, 'utf8'));
    writeFileSync(agent.config, torn);
    agent.write(10);
    const drained = await agent.drain();
    expect(drained.out).toMatch(/warning: The settings file epistream\.yaml is (empty|cut off), as after a power cut/);
    expect(drained.out).toContain(join(agent.data, 'settings.last-good.yaml'));
    expect(drained.code).toBe(0);
    await agent.expectDelivered(client);
    expect(readFileSync(agent.config, 'utf8')).toBe(torn);
  });
});
