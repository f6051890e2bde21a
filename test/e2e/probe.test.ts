// An instrument that nobody has set up yet: found by its answer on the port, seen, saved, recorded. The real page, the real
// agent, a pseudo-terminal with an instrument behind it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bytesOf } from '../../src-main/sources/serial/bytes.ts';
import { openAgentScreen } from '../support/agent-screen.ts';
import { findAccessFaults, launchBrowser } from '../support/browser.ts';
import { InstrumentEmulator } from '../support/instrument-emulator.ts';
import { button } from '../support/on-page.ts';
import { hasPty, Pty } from '../support/pty.ts';

const TIMEOUT_MS = 420_000;
/** Some twenty questions are asked before the one that is answered, each with its wait. */
const PROBE_MAX_MS = 240_000;
const eventually = <T>(read: () => T, timeout = 60_000) => expect.poll(read, { timeout });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** What the gauges say, by channel; the other three are not connected. */
const GAUGES: Readonly<Record<number, string>> = { 1: '1.10E-9', 3: '7.602E+2', 5: '2.34E-3' };

/** A gauge controller at an address that it does not leave the factory with. */
const controller = [
  { in: bytesOf('@001SN?;FF'), out: bytesOf('@001ACK0847012345;FF'), next: [] },
  { in: bytesOf('@001U?;FF'), out: bytesOf('@001ACKTORR;FF'), next: [] },
  ...[1, 2, 3, 4, 5, 6].map((n) => ({
    in: bytesOf(`@001PR${n}?;FF`),
    out: bytesOf(GAUGES[n] === undefined ? '@001NAK151;FF' : `@001ACK${GAUGES[n]};FF`),
    next: [],
  })),
];

/** An instrument on a port of this machine; over TCP where there are no pseudo-terminals. **Gives**: the port. */
async function plugIn(emulator: InstrumentEmulator): Promise<string> {
  if (!hasPty) return `tcp://127.0.0.1:${emulator.tcpPort}`;
  const pty = await Pty.plug(emulator.tcpPort);
  onTestFinished(() => pty.remove());
  return pty.path;
}

test(
  'finds an instrument on a port by asking, takes over its address, shows its readings, and records it once saved',
  async () => {
    const emulator = await InstrumentEmulator.start(controller);
    onTestFinished(() => emulator.stop());
    const port = await plugIn(emulator);
    const { agent, page, problems, go } = await openAgentScreen(browser, {
      sources: '\n  - { id: growth, kind: simulator, interval: 50ms }\n',
    });
    await go('/sources/new/serial');
    const probe = page.getByTestId('probe');
    expect(await probe.getByRole('button').isEnabled()).toBe(false);
    await page.getByRole('textbox', { name: 'Name of the source' }).fill('gauges');
    const where = page
      .getByRole('combobox', { name: 'Port' })
      .or(page.getByRole('textbox', { name: 'Port' }))
      .first();
    await where.fill(port);
    await where.press('Escape');

    await button(page, 'Ask which instrument it is').click();
    await eventually(() => probe.innerText()).toMatch(/[1-9]\d* questions? asked/);
    expect(await findAccessFaults(page)).toEqual([]);
    const take = button(page, 'Take this one: MKS 937B vacuum gauge controller');
    await take.waitFor({ timeout: PROBE_MAX_MS });
    expect(await probe.innerText()).toMatch(/It says so itself: 0847012345 · 9600 8N1, address 1/);
    expect(await findAccessFaults(page)).toEqual([]);
    await take.click();
    const instrument = page.getByRole('combobox', { name: 'Instrument', exact: true });
    const address = page.getByRole('textbox', { name: 'Address on its line' });
    await eventually(() => instrument.inputValue()).toContain('MKS 937B');
    await eventually(() => address.inputValue()).toBe('1');

    await button(page, 'Look at it').click();
    const look = page.getByTestId('look');
    await eventually(() => look.innerText()).toMatch(/channel 1\s+1\.1E-09 Torr/);
    await eventually(() => look.innerText()).toMatch(/channel 5\s+2\.3E-03 Torr/);
    await eventually(() => look.innerText()).toMatch(/channel 2\s+.*no gauge is connected there/);
    // Until it is saved nothing is recorded.
    expect(agent.snapshot.sources.map(({ id }) => id)).toEqual(['growth']);
    await button(page, 'Save').click();

    const row = page.getByTestId('source-row').filter({ hasText: 'gauges' });
    await eventually(() => row.innerText()).toContain('Reading');
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    const tile = page.getByRole('article', { name: 'gauges', exact: true });
    await eventually(() => tile.innerText()).toMatch(/channel 1\s+1\.1E-09 Torr/);
    await eventually(() => tile.innerText()).toMatch(/channel 3\s+760\.2 Torr/);
    await eventually(() => tile.innerText()).toMatch(/Points [1-9]/);
    // What the page counts is read; it is stored a moment later.
    const stored = async () => (await agent.pipeline?.store.readPoints('gauges', 'channel 5', 0, 8e15))?.values[0];
    await eventually(stored).toBe(2.34e-3);

    // As it was saved it opens, with nothing to save.
    await go('/sources/gauges');
    await eventually(() => address.inputValue()).toBe('1');
    await eventually(() => button(page, /^Save/).isEnabled()).toBe(false);
    expect(problems).toEqual([]);
  },
  TIMEOUT_MS,
);
