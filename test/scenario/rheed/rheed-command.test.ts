// RHEED sessions from the command line of a PC without a screen, by a running agent.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { startHere } from '../../support/rigs/agent-here.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a session is started, shown and ended; what cannot be is refused with the reason', async () => {
  const folder = tempFolder('rheed-command');
  const [config, data] = [join(folder, 'epistream.yaml'), join(folder, 'data')];
  mkdirSync(join(folder, 'images'));
  writeFileSync(
    config,
    `version: 1\nservice: { url: embedded }\ntool: { name: T, time_zone: UTC }\nsources:\n` +
      `  - { id: camera, kind: rheed, counter: { type: images, path: images, match: '*_{frame}.bmp' }, fps_capture_rate: 30, rotation_rpm: 4.97 }\n`,
  );
  const rheed = (...more: string[]) => runHere(['rheed', ...more, '--data', data]);
  expect((await rheed('show')).err).toContain('No agent runs in');
  const { stop } = await startHere({ config, data });
  expect((await rheed('show')).out).toContain('There is no RHEED session yet.');
  const started = (await rheed('start', '--new-sample', 'G3-117')).out;
  expect(started).toMatch(/^Session \w+ of camera, began \S+Z?, runs/);
  const shown = async () => (await rheed('show')).out;
  await expect.poll(shown).toMatch(/sample "G3-117" \([0-9a-f-]{36}\).*entry [0-9a-f-]{36}/);
  expect(await shown()).toContain('drifts 2.2 degrees a turn, 11 a minute');
  expect((await rheed('start')).err).toContain('A RHEED session of camera is under way.');
  expect((await rheed('end', '--source', 'camera')).out).toMatch(/ended .* \(by hand\)/);
  // Counted once the counter was looked at.
  await expect.poll(shown).toMatch(/ended .* \(by hand\), 0 frames/);
  expect((await rheed('end')).out).toContain('No RHEED session is under way.');
  expect(JSON.parse((await rheed('show', '--json')).out)).toMatchObject([{ sourceId: 'camera', endCause: 'by hand' }]);
  expect((await rheed('retry')).err).toContain('needs --session');
  expect((await rheed('retry', '--session', 'nobody')).err).toContain('There is no such RHEED session.');
  expect((await rheed('stop')).err).toContain('there is no "stop"');
  await stop();
});
