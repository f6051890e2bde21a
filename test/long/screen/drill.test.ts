// The drill for its whole minute: nobody presses anything, and the service comes back by itself.
import { test } from 'vitest';
import { walkThroughDrill } from '../../support/rigs/drill-walk.ts';

test('cuts the service off for its whole minute while recording goes on, and every point of it arrives, once and unaltered', () =>
  walkThroughDrill(async () => undefined));
