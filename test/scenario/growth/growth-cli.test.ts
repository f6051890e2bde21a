// Growths from the command line, asked of a running agent over its control door.
import { expect, test } from 'vitest';
import { GrowthView } from '../../../src-main/contract/growth.ts';
import { runHere } from '../../support/command.ts';
import { startHere } from '../../support/rigs/agent-here.ts';
import { GrowthRig, streamsOf, until } from '../../support/rigs/growth-rig.ts';

const SAMPLE = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';

test('starts, changes, notes, shows and ends; what does not fit is refused with a hint', async () => {
  const rig = await GrowthRig.open({ isOnline: false, rollover: 'daily' });
  const ask = async (...words: string[]) => runHere(['growth', ...words, '--data', rig.data]);
  // While a try to send is under way a session or a stream counts as sent; offline it fails at once, and does not any more.
  const change = (...words: string[]) =>
    until('no try is under way', async () => {
      const ended = await ask('change', ...words);
      return /growth\.(needs-new-streams|sent)\b/.test(ended.err) ? null : ended;
    });
  expect(await ask('show')).toMatchObject({ code: 1, err: expect.stringContaining('growth.no-agent') });
  expect(await ask('begin')).toMatchObject({ code: 2, err: expect.stringContaining('there is no "begin"') });
  const { stop } = await startHere({ config: rig.settingsFile, data: rig.data, key: rig.key });
  expect(await ask('show')).toMatchObject({ code: 0, out: 'No growth is under way.\n' });
  expect(await ask('end')).toMatchObject({ code: 1, err: expect.stringContaining('code: growth.none') });
  expect((await ask('start', '--sample', SAMPLE, '--new-sample', 'G3')).err).toContain('growth.sample-twice');
  const { code, out } = await ask('start', '--name', 'A1', '--new-sample', 'G3');
  expect([code, out]).toEqual([0, expect.stringMatching(/^Growth "A1" \([0-9a-z]+\), began /)]);
  expect(out).toContain('sample "G3" (no id yet)');
  expect((await change('--sample', SAMPLE)).out).toMatch(/^The streams that are open carry it\.\n/);
  expect((await ask('note', '--text', 'shutter open')).out).toMatch(/^Noted at /);
  expect((await ask('note')).err).toContain('needs --text');
  const view = await until('the tool gives readings', async () => {
    const read = GrowthView.parse(JSON.parse((await ask('show', '--json')).out));
    return streamsOf(read).some(({ sourceId }) => sourceId === 'tool') ? read : null;
  });
  expect(view).toMatchObject({ name: 'A1', sampleId: SAMPLE, newSampleName: null, notes: [{ text: 'shutter open' }] });
  expect((await ask('end')).out).toContain(', ended ');
  // What ended and was not sent can still be shown and changed.
  expect((await ask('show')).out).toBe('No growth is under way.\n');
  expect((await ask('show', '--growth', 'none')).out).toBe('There is no growth none.\n');
  const late = await change('--growth', view.id, '--name', 'A1b');
  expect([late.code, late.out]).toEqual([0, expect.stringContaining(`Growth "A1b" (${view.id}), began`)]);
  expect((await ask('show', '--growth', view.id)).out).toContain('Growth "A1b"');
  await stop();
});
