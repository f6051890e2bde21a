import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { setAppMenu } from '../../../src-main/shell/app-menu.ts';
import { fake, resetFake } from '../../fakes/electron.ts';

beforeEach(resetFake);

function playPlatform(platform: string): void {
  const real = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }));
}

test.each(['win32', 'linux'])(
  '%s: there is no menu of Electron, whose keys reload, open developer tools and quit',
  (platform) => {
    playPlatform(platform);
    setAppMenu(() => undefined);
    expect(fake.appMenu).toBeNull();
  },
);

test('darwin: there is a menu to copy, paste and quit, and it quits as a person does', () => {
  playPlatform('darwin');
  let quits = 0;
  setAppMenu(() => {
    quits += 1;
  });
  const [own, ...others] = fake.appMenu?.items ?? [];
  expect(others.map(({ role }) => role)).toEqual(['editMenu', 'windowMenu']);
  const entries = own?.submenu as unknown as Electron.MenuItemConstructorOptions[];
  const last = entries.at(-1);
  expect(last).toMatchObject({ label: 'Quit Epistream', accelerator: 'Command+Q' });
  last?.click?.({} as Electron.MenuItem, undefined, {});
  expect(quits).toBe(1);
});
