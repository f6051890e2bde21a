// Kills while an event log is read: its lines are marks. More kills: test/long/fault-kills.test.ts.
import { test } from 'vitest';
import { killAtMarks } from '../../support/faults/mark-kills.ts';

const KILLS = 2;

test(`keeps every line of an event log as one mark over ${KILLS} kills`, () => killAtMarks(KILLS));
