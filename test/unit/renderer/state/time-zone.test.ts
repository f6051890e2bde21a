// Which zone is in force: that of the tool, or UTC by choice.
import { afterEach, expect, test, vi } from 'vitest';
import { runningSnapshot } from '../../../support/page/page-snapshot.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The module in a browser that keeps what is given, and how an agent's snapshot reaches it. */
async function openZone(kept: Record<string, string> | null = {}) {
  let hear = (_snapshot: unknown) => {};
  const on = (_feed: string, listener: typeof hear) => {
    hear = listener;
  };
  const refuse = () => {
    throw new Error('this browser keeps nothing');
  };
  vi.stubGlobal('localStorage', {
    getItem: kept === null ? refuse : (key: string) => kept[key] ?? null,
    setItem: kept === null ? refuse : (key: string, value: string) => Object.assign(kept, { [key]: value }),
  });
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('setInterval', () => 0);
  vi.stubGlobal('window', { epistream: { on, snapshot: { read: () => new Promise(() => {}) } } });
  const { setZoneInForce, zoneInForce } = await import('../../../../src-renderer/format/time-zone.ts');
  const { chooseZone, watchTimeZone } = await import('../../../../src-renderer/state/time-zone.ts');
  watchTimeZone(setZoneInForce);
  return { zoneInForce, chooseZone, hear: (timeZone: string) => hear(runningSnapshot(0, { timeZone })) };
}

test('takes the zone of the tool with the first snapshot, and another one when the settings name it', async () => {
  const { zoneInForce, hear } = await openZone();
  expect(zoneInForce()).toBe('UTC');
  hear('Asia/Tokyo');
  expect(zoneInForce()).toBe('Asia/Tokyo');
  hear('Europe/Berlin');
  expect(zoneInForce()).toBe('Europe/Berlin');
});

test('keeps the choice of UTC in this browser, whatever the tool says, and goes back to the zone of the tool', async () => {
  const kept = {};
  const before = await openZone(kept);
  before.hear('Asia/Tokyo');
  before.chooseZone('utc');
  expect(before.zoneInForce()).toBe('UTC');
  vi.resetModules();
  const { zoneInForce, chooseZone, hear } = await openZone(kept);
  hear('Asia/Tokyo');
  expect(zoneInForce()).toBe('UTC');
  chooseZone('tool');
  expect(zoneInForce()).toBe('Asia/Tokyo');
});

test('lets a person choose in a browser that keeps nothing', async () => {
  const { zoneInForce, chooseZone, hear } = await openZone(null);
  hear('Asia/Tokyo');
  chooseZone('utc');
  expect(zoneInForce()).toBe('UTC');
});

test('writes UTC for a zone that this browser does not know', async () => {
  const { zoneInForce, hear } = await openZone();
  hear('Mars/Gale');
  expect(zoneInForce()).toBe('UTC');
});
