// Which entries of the service belong to nobody here, asked of a real service while a RHEED session of this agent begins, runs
// and is over.
import { expect, test } from 'vitest';
import { findOrphans } from '../../../src-main/agent/handlers/orphans.ts';
import type { Pipeline } from '../../../src-main/agent/pipeline/pipeline.ts';
import { formatStreamName } from '../../../src-main/model/stream-name.ts';
import { openSessionRig } from '../../support/rigs/session-rig.ts';

test('a session of this agent is never an orphan: not sent, its answer lost, running, over; that of another folder is', async () => {
  const fault = { kind: 'lost-after', how: 'reset' } as const;
  const rig = await openSessionRig({ bench: { rules: [{ fault, endpoint: 'startRheedStream', times: 1 }] } });
  const nameOf = (sourceId: string, startedMs: number, nonce: string, words: string) =>
    formatStreamName({
      ...{ toolName: 'MBE-1', sourceId, words, nonce },
      start: new Date(startedMs).toISOString().slice(0, 19).replace('T', ' '),
    });
  const sources = [{ id: 'camera' }] as Parameters<typeof findOrphans>[1]['sources'];
  const orphansOf = async (store: Pick<Pipeline['store'], 'listStreams' | 'rheedEntries'>) => {
    const parts = { store, link: { client: rig.client } } as unknown as Pick<Pipeline, 'store' | 'link'>;
    return (await findOrphans(parts, { toolName: 'MBE-1', timeZone: 'UTC', sources })).orphans;
  };
  const { desk } = await rig.live({ nameOf });
  const { name } = await desk.start('camera');
  const own = () => desk.sessions[0];
  // The service has the entry before the agent knows it.
  await rig.until('the service has its entry', () => rig.count('entry') === 1);
  expect(await orphansOf(rig.store)).toEqual([]);
  await rig.until('its entry is known', () => own()?.dataId != null);
  expect(await orphansOf(rig.store)).toEqual([]);
  await desk.end('camera', 'by hand');
  await rig.until('it is over', () => own()?.endedMs != null);
  expect(await orphansOf(rig.store)).toEqual([]);
  // For an agent with another data folder it is one.
  const empty = { listStreams: async () => [], rheedEntries: async () => [] };
  expect(await orphansOf(empty)).toMatchObject([{ name, dataId: own()?.dataId, sourceId: 'camera' }]);
});
