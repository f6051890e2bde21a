// Kills while an event log is read: its lines are marks. More kills: test/long/fault-kills.test.ts.
import { test } from 'vitest';
import { killAtMarks } from '../../support/faults/mark-kills.ts';

test('a kill while an event log is read leaves every line of it as one mark', () => killAtMarks(1));
