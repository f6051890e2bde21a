// Every setting with its line, and one changed by its path.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeSetting, listSettings } from '../../../src-main/settings/list-settings.ts';
import { readParsed } from '../../../src-main/settings/read-settings.ts';
import { saveSettings } from '../../../src-main/settings/save-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TEXT = `version: 1
tool: { name: MBE-1 } # the left one
service:
  url: embedded
  proxy: 'http://proxy:3128' # of the lab
growth:
  after:
    - { export: nexus, to: '/data/out' }
`;

function write() {
  const file = join(tempFolder('listed'), 'epistream.yaml');
  writeFileSync(file, TEXT);
  return file;
}

async function listed(file: string) {
  const { document, text } = await readParsed(file);
  return new Map(listSettings(document, text).map((one) => [one.path, one]));
}

test('lists what the file names with its line, and what it leaves out with its default', async () => {
  const all = await listed(write());
  expect(all.get('service.proxy')).toMatchObject({
    ...{ value: 'http://proxy:3128', line: 5, lineText: "proxy: 'http://proxy:3128' # of the lab" },
  });
  expect(all.get('tool.name')).toMatchObject({ value: 'MBE-1', line: 2 });
  expect(all.get('growth.after')).toMatchObject({ value: '[ { export: nexus, to: /data/out } ]', line: 7 });
  expect(all.get('keep_awake')).toMatchObject({
    ...{ value: null, otherwise: 'true', line: null, choices: ['true', 'false'] },
  });
  expect(all.get('service.resend')?.choices).toEqual(['verify', 'repeat']);
  for (const path of ['growth.run_files', 'updates.when', 'stream_defaults.rollover'])
    expect(all.get(path)?.about).not.toBe('');
  expect([...all.keys()].some((path) => /^(sources|limits|version)/.test(path))).toBe(false);
});

test('one setting is changed or taken out, and comments stay', async () => {
  const file = write();
  await saveSettings(file, (current) => changeSetting(current as never, 'service.proxy', 'none'));
  await saveSettings(file, (current) => changeSetting(current as never, 'service.paths.chunk', '[/in]'));
  const { text, settings } = await readParsed(file);
  expect(text).toMatch(/proxy: '?none'? # of the lab/);
  expect(text).toContain('# the left one');
  expect(settings.service.paths.ingestChunk).toEqual(['/in']);
  await saveSettings(file, (current) => changeSetting(current as never, 'service.proxy', ''));
  expect((await listed(file)).get('service.proxy')?.line).toBeNull();
});

test('a value that cannot be, or a path that is none, changes nothing', async () => {
  const file = write();
  const { input } = await readParsed(file);
  expect(() => changeSetting(input, 'service.nothing', '1')).toThrow('There is no setting service.nothing.');
  expect(() => changeSetting(input, 'sources', '[]')).toThrow();
  expect(() => changeSetting(input, 'tool.name', '"MBE')).toThrow(/^tool\.name: /);
  await expect(
    saveSettings(file, (current) => changeSetting(current as never, 'keep_awake', 'perhaps')),
  ).rejects.toMatchObject({ code: 'settings.invalid' });
  expect((await readParsed(file)).text).toBe(TEXT);
});
