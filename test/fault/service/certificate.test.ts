// Part E, rows 97 and 98: the certificate is signed by a laboratory's own authority, or out of date by the clock of this PC.
// The real agent, a real TLS server, certificates made by openssl.
import { describe, expect, test } from 'vitest';
import { openMiddleman } from '../../support/faults/middleman.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { machineClock, noMachineClock } from '../../support/machine-clock.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 86_400_000;

/** A service behind TLS whose certificate is valid for so many days from now. */
async function rig(fromDays: number, untilDays: number) {
  const ca = new SmallCa('Lab Proxy');
  const { service, client } = await openServiceRig();
  const certificate = ca.sign(Date.now() + fromDays * DAY_MS, Date.now() + untilDays * DAY_MS);
  const front = await openMiddleman(service.url, () => 'pass', certificate);
  return { ca, client, front, key: service.apiKey };
}

test('97: an authority that is not known: said with its name and what to do, no byte sent; with ca_file all goes out', async () => {
  const { ca, client, front, key } = await rig(-1, 30);
  const agent = new LogAgent({ url: front.url, key });
  agent.write(12);
  const running = await agent.start();
  const { sentence, service } = await agent.until(
    'the certificate is not trusted',
    (seen) => seen.service?.state === 'held',
  );
  expect(sentence).toMatchObject({ tone: 'attention', hint: expect.stringContaining('ca_file') });
  expect(sentence.text).toMatch(/^Recording 1 source\. Nothing is sent: The certificate of .* signed by "Lab Proxy"/);
  expect(service?.needsKey).toBe(false);
  agent.write(3);
  await agent.until('capture goes on', ({ store }) => store?.waitingPoints === 15);
  await agent.stop(running);
  expect(front.asked).toEqual([]);

  agent.configure(front.url, `ca_file: '${ca.file}'`);
  expect((await agent.drain()).code).toBe(0);
  await agent.expectDelivered(client);
  expect(front.asked.length).toBeGreaterThan(0);
});

describe.skipIf(noMachineClock !== '')('98: the clock of this PC is wrong', () => {
  test.each([
    ['behind, so that the certificate is not valid yet', -2, -1, 300],
    ['ahead, so that it is not valid any more', 400, -100, 300],
  ])(
    'and %s: the clock is named, not the certificate; once it is right all goes out',
    async (_, clockDays, from, until) => {
      const { ca, client, front, key } = await rig(from, until);
      const agent = new LogAgent({ url: front.url, service: `resend: repeat, ca_file: '${ca.file}'`, key });
      agent.write(12);
      const clock = machineClock(tempFolder('clock'), (clockDays * DAY_MS) / 1000);
      const begunMs = Date.now();
      const running = await agent.start(clock.env);
      const { sentence } = await agent.until('the clock is named', (seen) => seen.service?.state === 'held');
      // The day may have changed since.
      const days = [begunMs, Date.now()].map((ms) => new Date(ms + clockDays * DAY_MS).toISOString().slice(0, 10));
      expect(sentence.text).toMatch(new RegExp(`by the clock of this PC, which shows (${days.join('|')})`));
      expect(sentence.hint).toMatch(/^Correct this PC's date and time/);
      expect(front.asked).toEqual([]);

      clock.set(0);
      await agent.until('all delivered', ({ store }) => store?.waitingPoints === 2);
      await agent.stop(running);
      expect((await agent.drain()).code).toBe(0);
      await agent.expectDelivered(client);
    },
  );
});
