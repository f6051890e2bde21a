// An instrument that nobody has set up yet: found by its answer on the port, seen, saved, recorded. The real page, the real
// agent, a pseudo-terminal with an instrument behind it.
import { expect, onTestFinished } from 'vitest';
import { openAgentScreen } from '../page/agent-screen.ts';
import { findAccessFaults } from '../page/browser.ts';
import { button } from '../page/on-page.ts';
import { type Dialog, InstrumentEmulator } from './instrument-emulator.ts';
import { hasPty, Pty } from './pty.ts';

/** Each question that is asked before the one that is answered has its wait. */
const PROBE_MAX_MS = 240_000;
const eventually = <T>(read: () => T, timeout = 60_000) => expect.poll(read, { timeout });

export interface ProbedInstrument {
  readonly dialogs: readonly Dialog[];
  /** It answers none of the questions behind so many; with more than one the page is seen counting them. */
  readonly askedWithin: number;
  /** What the page calls it. */
  readonly title: string;
  /** What it says of itself, with the settings that it was found at. */
  readonly says: string;
  /** What stands in the field for its address once it was taken over. */
  readonly address: string;
  /** What a look at it shows, and its tile once it is recorded. */
  readonly look: readonly RegExp[];
  readonly stored: { readonly channel: string; readonly value: number };
}

/**
 * An instrument on a port of this machine; over TCP where there are no pseudo-terminals.
 *
 * @returns the port.
 */
async function plugIn(emulator: InstrumentEmulator): Promise<string> {
  if (!hasPty) return `tcp://127.0.0.1:${emulator.tcpPort}`;
  const pty = await Pty.plug(emulator.tcpPort);
  onTestFinished(() => pty.remove());
  return pty.path;
}

/** Find the instrument on its port by asking, take it over, look at it, save it, and see it recorded. */
export async function walkThroughProbe(expected: ProbedInstrument): Promise<void> {
  const emulator = await InstrumentEmulator.start(expected.dialogs);
  onTestFinished(() => emulator.stop());
  const port = await plugIn(emulator);
  const { agent, page, problems, go } = await openAgentScreen({
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

  const take = button(page, `Use this one: ${expected.title}`);
  const tries = async () => Number(/(\d+) questions? asked/.exec(await probe.innerText())?.[1] ?? 0);
  const isOver = async () => (await take.count()) > 0 || (await tries()) > expected.askedWithin;
  // Ask again, as an operator would, when a busy machine kept the instrument from replying in time.
  for (let isFound = false; !isFound; isFound = (await take.count()) > 0) {
    if ((await button(page, 'Stop').count()) > 0) await button(page, 'Stop').click();
    await button(page, 'Detect instrument').click();
    if (expected.askedWithin > 2) {
      await eventually(tries).toBeGreaterThan(0);
      expect(await findAccessFaults(page)).toEqual([]);
    }
    await eventually(isOver, PROBE_MAX_MS).toBe(true);
  }
  expect(await probe.innerText()).toContain(`It says so itself: ${expected.says}`);
  expect(await findAccessFaults(page)).toEqual([]);
  await take.click();
  const instrument = page.getByRole('combobox', { name: 'Instrument', exact: true });
  const address = page.getByRole('textbox', { name: 'Bus address' });
  await eventually(() => instrument.inputValue()).toContain(expected.title);
  await eventually(() => address.inputValue()).toBe(expected.address);

  await button(page, 'Start test').click();
  const look = page.getByTestId('look');
  for (const words of expected.look) await eventually(() => look.innerText()).toMatch(words);
  // Until it is saved nothing is recorded.
  expect(agent.snapshot.sources.map(({ id }) => id)).toEqual(['growth']);
  await button(page, 'Save').click();

  const row = page.getByTestId('source-row').filter({ hasText: 'gauges' });
  await eventually(() => row.innerText()).toContain('Reading');
  await page.getByRole('link', { name: 'Now', exact: true }).click();
  const tile = page.getByRole('article', { name: 'gauges', exact: true });
  await eventually(() => tile.innerText()).toMatch(/Points [1-9]/);
  // What the page counts is read; it is stored a moment later.
  const stored = async () =>
    (await agent.pipeline?.store.readPoints('gauges', expected.stored.channel, 0, 8e15))?.values[0];
  await eventually(stored).toBe(expected.stored.value);

  // As it was saved it opens, with nothing to save.
  await go('/sources/gauges');
  await eventually(() => address.inputValue()).toBe(expected.address);
  await eventually(() => button(page, /^Save/).isEnabled()).toBe(false);
  expect(problems).toEqual([]);
}
