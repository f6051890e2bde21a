import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepLastSettings, readSettingsOrLast } from '../../../src-main/settings/last-good.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TEXT =
  'version: 1\ntool: { name: T }\nsources:\n  - { id: a, kind: simulator }\n  - { id: b, kind: simulator }\n';

async function rig(text = TEXT) {
  const folder = tempFolder('last-good');
  const [file, copy] = [join(folder, 'epistream.yaml'), join(folder, 'last.yaml')];
  writeFileSync(file, text);
  await keepLastSettings(file, copy);
  return { folder, file, copy };
}

test.each([
  ['nothing', ''],
  ['blanks', '\n \n'],
  ['zeros', '\0'.repeat(100)],
  ['a beginning with zeros behind it', `${TEXT.slice(0, 40)}${'\0'.repeat(60)}`],
  ['its beginning, cut in the middle of a value', TEXT.slice(0, TEXT.indexOf('id: b') + 2)],
])('a file that holds %s is torn: the settings of the last run, and a notice', async (_, torn) => {
  const { file, copy } = await rig();
  writeFileSync(file, torn);
  const { settings, notice } = await readSettingsOrLast(file, copy);
  expect(settings.sources.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(notice).toMatchObject({ code: 'settings.torn', hint: expect.stringContaining(copy) });
  expect(readFileSync(file, 'utf8')).toBe(torn);
});

test('a sound file is read as it stands, a shorter one too, without a notice', async () => {
  const { file, copy } = await rig();
  writeFileSync(file, TEXT.slice(0, TEXT.indexOf('  - { id: b')));
  const { settings, notice } = await readSettingsOrLast(file, copy);
  expect(settings.sources.map(({ id }) => id)).toEqual(['a']);
  expect(notice).toBeNull();
});

test('a file that a person wrote wrongly, and a torn one without a sound copy, are refused', async () => {
  const { file, copy } = await rig();
  writeFileSync(file, TEXT.replace('kind: simulator', 'kind: simulater'));
  await expect(readSettingsOrLast(file, copy)).rejects.toMatchObject({ code: 'settings.invalid' });
  writeFileSync(file, '');
  await expect(readSettingsOrLast(file, `${copy}.none`)).rejects.toMatchObject({ code: 'settings.invalid' });
  writeFileSync(copy, 'version: 1\nsources: [');
  await expect(readSettingsOrLast(file, copy)).rejects.toMatchObject({ code: 'settings.invalid' });
});

test('only a sound file is kept', async () => {
  const { folder } = await rig('version: 1\nsources: [');
  expect(readdirSync(folder)).toEqual(['epistream.yaml']);
});
