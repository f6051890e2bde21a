// How what waits for a former service is sent there.
import { expect, onTestFinished, test } from 'vitest';
import { FormerServices } from '../../../../src-main/agent/pipeline/former-services.ts';
import { Journal } from '../../../../src-main/agent/pipeline/journal.ts';
import type { ServiceLink } from '../../../../src-main/agent/service-link/service-link.ts';
import type { Store } from '../../../../src-main/queue/store/store.ts';
import { VirtualClock } from '../../../simulation/virtual-clock.ts';
import { chunkOf, GA, openSmallQueue, promiseQueue } from '../../../support/rigs/small-queue.ts';
import { HOLD_OFF_MS, ServiceByHand } from '../../../support/rigs/stream-upload-rig.ts';

test.each([
  ['https://former.example', 0],
  ['embedded', 4],
])(
  'what the named service does with a repeated chunk says nothing of %s: soon after a lost answer %i points are settled',
  async (at, points) => {
    const { queue } = openSmallQueue([chunkOf(0, [GA]), chunkOf(1, [GA])], true);
    queue.setInitialized(1, { dataId: 'entry', processedDataId: '', service: at, isToFinalize: false });
    queue.chooseFormer(at, 'send');
    const clock = new VirtualClock();
    const service = new ServiceByHand();
    service.fates.push('answer lost');
    const store = promiseQueue(queue) as unknown as Store;
    const former = new FormerServices({
      ...{ store, named: 'https://next.example', gate: () => service, hasKey: () => true },
      open: async () => ({ mark: at, stop: async () => {} }) as unknown as ServiceLink,
      shared: {
        ...{ queue: promiseQueue(queue), clock, random: () => 0, window: 8 },
        policy: { resend: 'repeat', holdOffMs: HOLD_OFF_MS },
        ...{ onChange: () => {}, onDelivered: () => {}, onFailure: () => {} },
      },
      cutter: { close: async () => {}, begin: () => Promise.reject(new Error('not here')), begun: () => {} },
      onMoved: async () => {},
      journal: new Journal({
        ...clock,
        nowMs: () => clock.nowMs(),
        monotonicMs: () => 0,
        keep: async () => {},
        onEntry: () => {},
      }),
      onChange: () => {},
    });
    onTestFinished(() => former.stop());
    await former.start();
    await clock.pass(5000);
    expect(queue.tally(9).streams[0]?.pointsAcknowledged).toBe(points);
    await clock.pass(120_000);
    expect(queue.tally(9).streams[0]?.pointsAcknowledged).toBe(4);
    expect(service.asked.filter((one) => one === 'chunk 0 Ga')).toHaveLength(1);
  },
);
