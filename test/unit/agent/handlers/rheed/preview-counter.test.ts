// A look at a counter before its source is saved, and what the service holds of a speed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rheedHandlers } from '../../../../../src-main/agent/handlers/rheed/rheed-handlers.ts';
import { viewRotation } from '../../../../../src-main/agent/handlers/rheed/rotation-view.ts';
import { CounterView } from '../../../../../src-main/contract/rheed.ts';
import { AgentError } from '../../../../../src-main/model/agent-error.ts';
import { systemClock } from '../../../../../src-main/platform/clock.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const nothingRuns = () => {
  throw new AgentError({ code: 'agent.not-running', message: '', hint: '' });
};

function handlers() {
  const folder = tempFolder('rheed-preview');
  return {
    folder,
    ...rheedHandlers(nothingRuns, { settingsFile: join(folder, 'epistream.yaml'), clock: systemClock }),
  };
}

const entry = { id: 'camera', kind: 'rheed' as const, fps_capture_rate: 30, rotation_rpm: 4.97 };

test('an entry of the settings shows what its counter sees and what becomes of its speed, though nothing runs', async () => {
  const { folder, preview } = handlers();
  mkdirSync(join(folder, 'run'));
  for (const number of [7, 8, 9]) writeFileSync(join(folder, 'run', `a_000${number}.bmp`), 'a');
  const counter = { type: 'images', path: 'run', match: '*_{frame}.bmp' };
  const seen = CounterView.parse(await preview({ entry: { ...entry, counter } }));
  expect(seen).toMatchObject({
    seen: ['a_{frame}.bmp stands at 9'],
    frames: 0,
    rate: null,
    problem: '',
    warnings: [],
  });
  expect(seen.rotation).toMatchObject({ rpm: 4.97, sentRpm: 5, heldRpm: null });
  expect(seen.rotation?.degreesPerTurn).toBeCloseTo(2.17, 2);
  expect(seen.rotation?.degreesPerMinute).toBeCloseTo(10.8, 5);
  expect(seen.rotation?.text).toContain('drifts 2.2 degrees a turn, 11 a minute');
});

test('what cannot be looked at says the field, or what is in the way', async () => {
  const { folder, preview } = handlers();
  const counter = { type: 'images', path: 'nowhere', match: '*_{frame}.bmp' };
  const { problem, hint } = await preview({ entry: { ...entry, counter } });
  expect(problem).toContain(`The folder ${join(folder, 'nowhere')} cannot be listed`);
  expect(hint).not.toBe('');
  await expect(preview({ entry: { ...entry, counter: { ...counter, match: undefined } } })).rejects.toMatchObject({
    code: 'source.invalid',
    message: expect.stringContaining('counter.match'),
  });
  await expect(preview({ entry: { ...entry, counter, rotation_rpm: -1 } })).rejects.toMatchObject({
    code: 'source.invalid',
    message: expect.stringContaining('rotation_rpm'),
  });
  await expect(preview({ entry: { id: 'x', kind: 'simulator' } })).rejects.toMatchObject({ code: 'source.invalid' });
});

test('drift is told against the number that the service holds, else against the one that goes out', () => {
  const held = viewRotation({ rpm: 4.97, fps: 30, settings: { rotations_per_min: 4 } });
  expect(held).toMatchObject({ sentRpm: 5, heldRpm: 4 });
  expect(held?.degreesPerMinute).toBeCloseTo(-349.2, 5);
  expect(viewRotation({ rpm: 5, fps: null, settings: null })).toMatchObject({
    ...{ degreesPerTurn: 0, degreesPerMinute: 0, framesPerTurn: null, text: '' },
  });
  expect(viewRotation({ rpm: 0.4, fps: 30, settings: null })).toMatchObject({ sentRpm: null, degreesPerTurn: null });
  expect(viewRotation({ rpm: null, fps: 30, settings: null })).toBeNull();
});
