// Part E, rows 97 and 98: the certificate is signed by a laboratory's own authority, or out of date by the clock of this PC.
// The real agent, a real TLS server, certificates made by openssl.
import { expect, test } from 'vitest';
import { openMiddleman } from '../../support/faults/middleman.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { LogAgent, LogAgentHere } from '../../support/logs/log-agent.ts';
import { machineClock, noMachineClock } from '../../support/machine-clock.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1000;

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
  const agent = new LogAgentHere({ url: front.url, key });
  agent.write(12);
  await agent.start();
  const { sentence, service } = await agent.until(
    'the certificate is not trusted',
    (seen) => seen.service?.state === 'held',
  );
  expect(sentence).toMatchObject({ tone: 'attention', hint: expect.stringContaining('ca_file') });
  expect(sentence.text).toMatch(
    /^Recording 1 source\. Nothing is sent: the certificate of the service is not accepted\. .* signed by "Lab Proxy"/,
  );
  expect(service?.needsKey).toBe(false);
  agent.write(3);
  await agent.until('capture goes on', ({ store }) => store?.waitingPoints === 15);
  await agent.stop();
  expect(front.asked).toEqual([]);

  agent.configure(front.url, `ca_file: '${ca.file}'`);
  expect((await agent.drain()).code).toBe(0);
  await agent.expectDelivered(client);
  expect(front.asked.length).toBeGreaterThan(0);
});

test.skipIf(noMachineClock !== '')(
  '98: by the clock of this PC the certificate is not valid yet, then not any more: the clock is named, not the certificate; once it is right all goes out',
  async () => {
    const { ca, client, front, key } = await rig(-1, 300);
    const agent = new LogAgent({ url: front.url, service: `resend: repeat, ca_file: '${ca.file}'`, key });
    agent.write(10);
    const clock = machineClock(tempFolder('clock'), -2 * DAY_S);
    const begunMs = Date.now();
    const running = await agent.start(clock.env);
    for (const days of [-2, 400]) {
      clock.set(days * DAY_S);
      // The day may change meanwhile.
      const shown = [begunMs, begunMs + DAY_MS].map((ms) => new Date(ms + days * DAY_MS).toISOString().slice(0, 10));
      const { sentence } = await agent.until(
        'the clock is named',
        (seen) => seen.service?.state === 'held' && shown.some((day) => seen.sentence.text.includes(day)),
      );
      expect(sentence.text).toMatch(/by the clock of this PC, which shows \d/);
      expect(sentence.hint).toMatch(/^Correct this PC's date and time/);
    }
    expect(front.asked).toEqual([]);
    clock.set(0);
    await agent.until('all delivered', ({ store }) => store?.waitingPoints === 0);
    await agent.stop(running);
    await agent.expectDelivered(client);
  },
);
