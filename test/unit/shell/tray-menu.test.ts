import { expect, test } from 'vitest';
import { makeTrayMenu } from '../../../src-main/shell/tray-menu.ts';
import { runningGrowth, runningSnapshot } from '../../support/page/page-snapshot.ts';

const ready = { state: 'ready', text: 'Epistream 0.3.0 is ready.', hint: '', checkedMs: 1, version: '0.3.0' } as const;

const linesOf = (change: object) =>
  makeTrayMenu({ ...runningSnapshot(1e12), ...change }, null).flatMap((group) => group.map(({ text }) => text));

test('says that quitting installs an update, and what stays here', () => {
  const { store } = runningSnapshot(1e12);
  const lines = linesOf({ updates: ready, store: store && { ...store, waitingPoints: 2410 } });
  expect(lines).toContain('Epistream 0.3.0 is ready.');
  expect(lines.at(-1)).toBe('Quit and install Epistream 0.3.0 (2,410 points not sent: they stay here)');
});

test('quits without installing while a growth runs', () => {
  const lines = linesOf({ updates: ready, growth: runningGrowth(1e12) });
  expect(lines).toContain('Epistream 0.3.0 is ready.');
  expect(lines.at(-1)).toMatch(/^Quit(?! and install)/);
});
