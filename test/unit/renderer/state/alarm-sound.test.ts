import { expect, test } from 'vitest';
import { beginsAlarm } from '../../../../src-renderer/state/alarm-sound.ts';

test('sounds when something begins to need a person, and not for what a page finds when it is opened', () => {
  expect(beginsAlarm('ok', 'attention')).toBe(true);
  expect(beginsAlarm('busy', 'attention')).toBe(true);
  expect(beginsAlarm('attention', 'attention')).toBe(false);
  expect(beginsAlarm(null, 'attention')).toBe(false);
  expect(beginsAlarm('attention', 'ok')).toBe(false);
});
