// A frame counter as a person sets it up and changes it: what the camera writes, the turning in all its units, the session
// at the service. The real page, the real agent, images written by a simulated camera.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../src-main/agent/agent.ts';
import { makeImageWriter } from '../../src-main/sources/simulator/camera-images.ts';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { button, combobox, field, link, panel } from '../support/page/on-page.ts';
import { tempFolder } from '../support/temp-folder.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** A camera that writes some thirty images a second until it is stopped; it can be started again. */
function startCamera(folder: string) {
  mkdirSync(folder, { recursive: true });
  const write = makeImageWriter(folder);
  let frames = 0;
  const take = () => {
    for (let n = 0; n < 3; n++) write(frames++);
  };
  let timer = setInterval(take, 100);
  const stop = () => clearInterval(timer);
  onTestFinished(stop);
  const goOn = () => {
    timer = setInterval(take, 100);
  };
  return { stop, goOn, frames: () => frames };
}

/** What stands at a label of a list of facts. */
const fact = (text: string, label: string) => new RegExp(`${label}\\s+(.+)`).exec(text)?.[1];

/** Values of the count of frames as they are stored, in the order of their stamps. */
async function counted(agent: Agent): Promise<number[]> {
  const points = await agent.pipeline?.store.readPoints('camera', 'frames counted', 0, 8e15);
  return Array.from(points?.values ?? []);
}

test('sets up a frame counter seen counting, tells what becomes of the turning, and shows its session in a growth', async () => {
  const data = tempFolder('rheed');
  const frames = join(data, 'frames');
  startCamera(frames);
  const { agent, page, problems, go } = await openAgentScreen({
    sources: '\n  - { id: growth, kind: simulator, interval: 100ms }\n',
    data,
  });
  await go('/sources/new/rheed');
  expect(await field(page, 'Name of the source').getAttribute('placeholder')).toContain('camera');
  await field(page, 'Name of the source').fill('RHEED Kamera');
  await page.getByText('Saved as RHEED-Kamera').waitFor();
  await field(page, 'Name of the source').fill('camera');
  await combobox(page, 'Folder').fill(frames);
  await field(page, 'File pattern').fill('*.bmp');
  await field(page, 'Camera frame rate (per second)').fill('30');
  await field(page, 'Sample rotation (rpm)').fill('5,0');
  await button(page, 'Start test').click();
  // The folder tells where the number stands.
  await eventually(() => field(page, 'File pattern').inputValue()).toBe('rheed_{frame}.bmp');
  const look = page.getByTestId('counter');
  await eventually(() => look.innerText()).toMatch(/rheed_\{frame\}\.bmp stands at [\d,]+/);
  await eventually(() => look.innerText()).toMatch(/Working: [\d,]*[1-9][\d,]* new frames?/);
  expect(fact(await look.innerText(), 'Frames per turn')).toBe('360.0');

  // Another speed: what was seen is not of it, until it is looked at again.
  await field(page, 'Sample rotation (rpm)').fill('4.97');
  await eventually(() => look.innerText()).toContain('Settings changed since this test.');
  await button(page, 'Save without testing').waitFor();
  await button(page, 'Start test').click();
  await eventually(() => look.innerText()).not.toContain('Settings changed since this test.');
  const turning = await look.innerText();
  expect(fact(turning, 'Rotations per minute')).toBe('4.97');
  expect(fact(turning, 'Seconds per turn')).toBe('12.072');
  expect(fact(turning, 'Frames per turn')).toBe('362.2');
  expect(fact(turning, 'Stored at the service')).toBe('5 rpm');
  expect(turning).toContain('a picture that follows it drifts 2.2° per turn, 11° per minute');
  expect(await findAccessFaults(page)).toEqual([]);
  await button(page, 'Save').click();
  const row = page.getByTestId('source-row').filter({ hasText: 'camera' });
  await eventually(() => row.innerText()).toContain('Reading');
  await eventually(async () => (await counted(agent)).at(-1) ?? 0).toBeGreaterThan(0);

  // A growth takes the session with it.
  await link(page, 'Growth').click();
  await button(page, 'Start growth').click();
  const session = page.getByTestId('growth-session');
  await eventually(() => session.innerText()).toMatch(/RHEED session MBE-1[\s\S]* to now · entry [0-9a-f-]{36}/);
  await session.getByRole('link').click();
  const rheed = panel(page, 'RHEED');
  await eventually(() => rheed.innerText()).toMatch(/Frame rate\s+30 fps/);
  await eventually(() => rheed.innerText()).toMatch(/Rotation\s+5 rpm/);
  await eventually(() => rheed.innerText()).toMatch(
    /Rotational period\s+[\d.]+ frames per turn, which is 12\.072 s at this rate/,
  );

  // Its counts are a stream like any other.
  await link(page, 'Streams').click();
  const stream = page.getByTestId('stream-rows').getByRole('row').filter({ hasText: 'camera' }).first();
  await eventually(() => stream.getByRole('cell').nth(3).innerText()).toMatch(/[1-9]/);
  await eventually(() => stream.getByRole('cell').nth(1).innerText()).toMatch(/Open|Delivering|Sending|Delivered/);

  await link(page, 'Growth').click();
  await button(page, 'End growth').click();
  await button(page, 'End it now').click();
  await page.getByTestId('past').getByRole('link').first().click();
  await eventually(() => session.innerText()).toMatch(/to (?!now)\S/);
  expect(problems).toEqual([]);
});

/** As a person writes it: in an order of their own, with a note, and with what the form does not show. */
const WRITTEN = `
  - id: camera # the left window
    kind: rheed
    session: { end_after_silence: 5s, start: by-counter }
    rotation_rpm: 4.97
    stall_after: 3s
    fps_capture_rate: 30
    counter: { match: '*_{frame}.bmp', path: frames, type: images }
`;

test('changes a frame counter that runs, keeps what the form does not show, and loses no frame over it', async () => {
  const data = tempFolder('rheed');
  const settings = () => readFileSync(join(data, 'epistream.yaml'), 'utf8');
  mkdirSync(join(data, 'frames'));
  const { agent, page, problems, go } = await openAgentScreen({ sources: WRITTEN, data });
  await eventually(() => agent.snapshot.sources[0]?.state).toBe('running');
  const camera = startCamera(join(data, 'frames'));
  const sessions = () => agent.handlers.rheed.listSessions(null);
  await eventually(async () => (await sessions()).at(-1)?.dataId ?? null).not.toBeNull();

  await go('/sources/camera');
  const rpm = field(page, 'Sample rotation (rpm)');
  const save = panel(page, 'Save');
  await eventually(() => rpm.inputValue()).toBe('4.97');
  expect(await page.getByLabel('When frames arrive').isChecked()).toBe(true);
  // Nothing was changed: there is nothing to save.
  expect(await save.innerText()).not.toContain('Saving restarts this source');
  expect(await button(page, 'Save').isEnabled()).toBe(false);

  await rpm.fill('-5');
  await button(page, 'Start test').click();
  await page.getByText('Give a number above 0 such as 4.97, or nothing.').waitFor();
  await rpm.fill('12');
  await eventually(() => save.innerText()).toMatch(
    /restarts all recording for a few seconds[\s\S]*the next one takes these/,
  );
  await button(page, 'Start test').click();
  await eventually(() => page.getByTestId('counter').innerText()).toMatch(/Stored at the service\s+12 rpm/);
  expect(await findAccessFaults(page)).toEqual([]);
  await button(page, 'Save').click();
  await eventually(() => save.innerText()).toContain('Saved and active.');
  const now = settings();
  expect(now).toMatch(/rotation_rpm: 12\b/);
  for (const kept of ['# the left window', 'stall_after: 3s', 'end_after_silence: 5s', 'fps_capture_rate: 30'])
    expect(now).toContain(kept);

  // The session that had begun keeps its speed; the next one, when the camera begins again, has the new one.
  expect(new Set((await sessions()).map(({ rpm: speed }) => speed))).toEqual(new Set([4.97]));
  camera.stop();
  await eventually(async () => (await sessions()).every(({ endedMs }) => endedMs !== null)).toBe(true);
  camera.goOn();
  const next = async () => (await sessions()).find(({ rpm: speed }) => speed === 12);
  await eventually(async () => (await next())?.dataId ?? null).not.toBeNull();
  await go(`/catalogue/entry/${(await next())?.dataId}`);
  await eventually(() => panel(page, 'RHEED').innerText()).toMatch(/Rotation\s+12 rpm/);

  // Once more, from the page as it opens then: it turns no more, and a person begins its sessions.
  await go('/sources/camera');
  await eventually(() => rpm.inputValue()).toBe('12');
  await rpm.fill('');
  await page.getByLabel('Manually').check();
  await button(page, 'Save without testing').click();
  await eventually(() => save.innerText()).toContain('Saved and active.');
  expect(settings()).not.toContain('rotation_rpm');
  expect(settings()).toContain('end_after_silence: 5s');

  camera.stop();
  await eventually(async () => (await counted(agent)).at(-1)).toBe(camera.frames());
  const values = await counted(agent);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(problems).toEqual([]);
});
