// The drill, from the button to the sentence that says what it showed, and that sentence against the service itself.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAgentScreen } from '../page/agent-screen.ts';
import { findAccessFaults } from '../page/browser.ts';
import { button } from '../page/on-page.ts';
import { type Delivered, readDelivered } from './delivered.ts';

/** The minute, and what a busy machine needs to deliver what it brought. */
const DRILL_MAX_MS = 300_000;
const eventually = <T>(read: () => T, timeout = 60_000) => expect.poll(read, { timeout });

const count = (text: string | undefined) => Number((text ?? 'none').replaceAll(',', ''));

/**
 * Go through a drill.
 *
 * @param bringBack - what a person does, if anything, for the service to come back.
 */
export async function walkThroughDrill(bringBack: (page: Page) => Promise<void>): Promise<void> {
  const { agent, page, problems, go } = await openAgentScreen({
    sources: '\n  - { id: growth, kind: simulator, interval: 100ms }\n',
  });
  const pipeline = agent.pipeline;
  if (!pipeline) throw new Error('the agent does not run');
  await eventually(() => agent.snapshot.streams.some(({ pointsAcknowledged }) => pointsAcknowledged > 0)).toBe(true);
  await go('/help');
  await button(page, 'Start drill').click();
  const drill = page.getByTestId('drill');
  await eventually(() => drill.innerText()).toMatch(/The service is away\.[\s\S]*It comes back in [1-9]/);
  await eventually(() => agent.snapshot.service?.state).toBe('offline');

  // It is away for the page Now as well, and recording goes on there.
  await page.getByRole('link', { name: 'Now', exact: true }).click();
  await eventually(() => page.getByTestId('sentence').innerText()).toMatch(/cannot be reached.*points are safe here/);
  const { acknowledged } = await pipeline.tally().then(({ streams }) => sum(streams));
  // Of one look both: a machine that is slow may look next once the minute is over.
  const look = async () => {
    const now = sum((await pipeline.tally()).streams);
    return { hasMuch: now.stored - acknowledged > 100, isSent: now.acknowledged > acknowledged };
  };
  await eventually(look).toEqual({ hasMuch: true, isSent: false });

  await page.getByRole('link', { name: 'Help', exact: true }).click();
  expect(await findAccessFaults(page)).toEqual([]);
  await bringBack(page);
  await eventually(() => drill.innerText(), DRILL_MAX_MS).toContain('Passed.');
  const said = await drill.innerText();
  const captured = count(/Passed\. ([\d,]+) points were stored without the service/.exec(said)?.[1]);
  const onDisk = count(/([\d,]+) points stood on this disk when it came back/.exec(said)?.[1]);
  const before = count(/Before: stored\s+([\d,]+)/.exec(said)?.[1]);
  expect(said).toContain('it has counted all of them back, none twice.');
  expect(onDisk).toBe(before + captured);
  expect(captured).toBeGreaterThan(100);
  expect(await findAccessFaults(page)).toEqual([]);

  // The sentence against the service itself: of each channel it holds the first points, in order, and not fewer than it said.
  const delivered = await readDelivered(pipeline.link.client);
  expect(total(delivered)).toBeGreaterThanOrEqual(onDisk);
  for (const [channel, points] of delivered) {
    const { timesMs, values } = await pipeline.store.readPoints('growth', channel, 0, 8e15);
    expect(points.map(({ value }) => value)).toEqual(Array.from(values.slice(0, points.length)));
    // The service gives the nearest whole millisecond of the seconds that were sent.
    const wholeMs = Array.from(timesMs.slice(0, points.length), (timeMs) => Math.round((timeMs / 1000) * 1000));
    expect(points.map(({ timeMs }) => timeMs)).toEqual(wholeMs);
  }

  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  const told = `The drill is passed: ${captured.toLocaleString('en-US')} points were stored without the service`;
  await eventually(() => page.getByRole('list', { name: 'Events, newest first' }).innerText()).toContain(told);
  expect(problems).toEqual([]);
}

const total = (delivered: Delivered) => [...delivered.values()].reduce((points, { length }) => points + length, 0);

function sum(streams: readonly { pointsStored: number; pointsAcknowledged: number }[]) {
  return {
    stored: streams.reduce((points, { pointsStored }) => points + pointsStored, 0),
    acknowledged: streams.reduce((points, { pointsAcknowledged }) => points + pointsAcknowledged, 0),
  };
}
