import { expect, test } from 'vitest';
import { SettingsInForce } from '../../../../src-main/agent/pipeline/settings-in-force.ts';
import { trialSettings } from '../../../../src-main/agent/ready-settings.ts';
import type { Settings } from '../../../../src-main/settings/settings.ts';

const first = trialSettings('/camera');
const [source] = first.sources as [Settings['sources'][number], ...Settings['sources']];
/** The same with another cut of the first source. */
const cutBy = (pointsPerChunk: number): Settings => ({
  ...first,
  sources: [{ ...source, pointsPerChunk }, ...first.sources.slice(1)],
});

test('a source that leaves the settings is cut by the rule under which it ran last', () => {
  const inForce = new SettingsInForce(first);
  expect(inForce.ruleOf(source.id)).toBe(source);
  const changed = cutBy(77);
  inForce.take(changed);
  // Until it restarts, it hands over its rows by the rule under which it read them.
  expect(inForce.ruleOf(source.id)).toBe(source);
  inForce.begin(changed.sources[0] as typeof source);
  inForce.take({ ...changed, sources: [] });
  expect(inForce.ruleOf(source.id).pointsPerChunk).toBe(77);
  expect(inForce.ruleOf('never-there')).toBe(first.streamDefaults);
});

test('other settings are taken without a stop only where sources alone differ, and no frame counter among them', () => {
  const inForce = new SettingsInForce(first);
  expect(inForce.canTake(first)).toBe(true);
  expect(inForce.canTake(cutBy(77))).toBe(true);
  expect(inForce.canTake({ ...first, updates: { ...first.updates, url: 'https://updates.example' } })).toBe(true);
  expect(inForce.canTake({ ...first, tool: { ...first.tool, name: 'Other' } })).toBe(false);
  expect(inForce.canTake({ ...first, service: { ...first.service, url: 'https://service.example' } })).toBe(false);
  expect(inForce.canTake({ ...first, sources: first.sources.filter(({ kind }) => kind !== 'rheed') })).toBe(false);
});
