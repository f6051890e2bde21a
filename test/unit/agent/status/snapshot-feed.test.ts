import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../../src-main/agent/status/facts.ts';
import { SNAPSHOT_INTERVAL_MS, SnapshotFeed } from '../../../../src-main/agent/status/snapshot-feed.ts';
import type { Snapshot } from '../../../../src-main/contract/snapshot.ts';
import { facts } from '../../../support/facts.ts';

const rest = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A feed whose time and whose facts come by hand: `tool` says which facts a snapshot was made from. */
function rig(collect?: (tell: () => Facts) => Promise<Facts>) {
  let changes = 0;
  const sleepers: { durationMs: number; wake: () => void }[] = [];
  const faults: unknown[] = [];
  const heard: Snapshot[] = [];
  const now = () => facts([], { toolName: `change ${changes}` });
  const feed = new SnapshotFeed(now(), {
    collect: () => (collect ? collect(now) : Promise.resolve(now())),
    sleep: (durationMs) => new Promise((wake) => void sleepers.push({ durationMs, wake })),
    onFault: (thrown) => faults.push(thrown),
  });
  const end = feed.subscribe((snapshot) => heard.push(snapshot));
  const change = () => {
    changes += 1;
    feed.touch();
  };
  const pass = async () => {
    sleepers.shift()?.wake();
    await rest();
  };
  return { feed, heard, faults, sleepers, change, pass, end, count: () => changes };
}

describe('SnapshotFeed', () => {
  test('gives at most four a second, however often something changes, and the last change is in the last one', async () => {
    const { heard, change, pass, sleepers } = rig();
    for (let burst = 0; burst < 5; burst++) {
      for (let i = 0; i < 100; i++) change();
      await rest();
      expect(sleepers).toHaveLength(1);
      expect(sleepers[0]?.durationMs).toBe(SNAPSHOT_INTERVAL_MS);
      await pass();
    }
    // The first at once, then one a pause of 250 ms.
    expect(heard.length).toBeLessThanOrEqual(1 + 1 + 5);
    expect(heard.at(-1)?.toolName).toBe('change 500');
    expect(1000 / SNAPSHOT_INTERVAL_MS).toBe(4);
  });

  test('never loses a touch that comes while a snapshot is being made', async () => {
    const slow: (() => void)[] = [];
    const { heard, change, pass } = rig(async (tell) => {
      const seen = tell();
      await new Promise<void>((resolve) => slow.push(resolve));
      return seen;
    });
    change();
    change();
    slow.shift()?.();
    await rest();
    expect(heard.at(-1)?.toolName).toBe('change 1');
    await pass();
    slow.shift()?.();
    await rest();
    expect(heard.at(-1)?.toolName).toBe('change 2');
  });

  test('never sends an older snapshot after a newer one, even when the older was slower to collect', async () => {
    const slow: (() => void)[] = [];
    const { feed, heard, change } = rig(async (tell) => {
      const seen = tell();
      await new Promise<void>((resolve) => slow.push(resolve));
      return seen;
    });
    change();
    change();
    const forced = feed.refresh();
    slow[1]?.();
    expect((await forced).toolName).toBe('change 2');
    slow[0]?.();
    await rest();
    expect(heard.map(({ toolName }) => toolName)).toEqual(['change 0', 'change 2']);
    expect(feed.last.toolName).toBe('change 2');
  });

  test('revisions rise by one', async () => {
    const { feed, heard, change, pass } = rig();
    for (let i = 0; i < 4; i++) {
      change();
      await rest();
      await feed.refresh();
      await pass();
    }
    expect(heard.map(({ revision }) => revision)).toEqual(heard.map((_, i) => i));
  });

  test('continues after facts that could not be collected, and keeps the last snapshot meanwhile', async () => {
    let isBroken = true;
    const { heard, change, pass, faults } = rig(async (tell) => {
      if (isBroken) throw new Error('store gone');
      return tell();
    });
    change();
    await rest();
    expect(faults).toHaveLength(1);
    isBroken = false;
    change();
    await pass();
    expect(heard.map(({ toolName }) => toolName)).toEqual(['change 0', 'change 2']);
  });

  test('a listener that throws keeps no other from hearing', async () => {
    const { feed, change, faults } = rig();
    let isReady = false;
    feed.subscribe(() => {
      if (isReady) throw new Error('window gone');
    });
    isReady = true;
    const others: Snapshot[] = [];
    feed.subscribe((snapshot) => others.push(snapshot));
    change();
    await rest();
    expect(others.at(-1)?.toolName).toBe('change 1');
    expect(faults).toHaveLength(1);
  });

  test('sends nothing to a listener that has unsubscribed', async () => {
    const { heard, change, end } = rig();
    end();
    change();
    await rest();
    expect(heard).toHaveLength(1);
  });
});
