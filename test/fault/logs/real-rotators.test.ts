// Logs that are rotated by the programs that laboratories have. All of them: test/long/fault-logs.test.ts.
import { test } from 'vitest';
import { findRotatorObstacle, type Rotator, readRotated } from '../../support/logs/real-rotators.ts';

const LOGS: readonly (readonly [Rotator, match: string])[] = [
  ['RotatingFileHandler', '*'],
  ['RotatingFileHandler that compresses', 'log.csv'],
  ['logrotate, create', 'log.csv'],
  ['logrotate, delaycompress', '*'],
];
const obstacle = findRotatorObstacle(LOGS.map(([rotator]) => rotator));
if (obstacle !== null) console.error(`rotated logs: ${obstacle}`);

test.skipIf(obstacle !== null)(
  'logs that handlers of Python and logrotate rotate, compress and rename give each row once, in order',
  () => readRotated(LOGS),
);
