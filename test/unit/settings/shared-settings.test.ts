import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lastSettingsIn } from '../../../src-main/settings/last-good.ts';
import { readSharedSettings, withoutSecrets } from '../../../src-main/settings/shared-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'hunter2Zq';
/** As long as keys are. */
const OPAQUE = 'sk9f8a7d6c5b4e3f2a1b0c';

const settingsOf = (guidance: string, path = 'C:\\MBE\\Logs') => `
# the key is ${SECRET}
version: 1
service: { url: 'https://host/base', proxy: 'http://proxy:3128' }  # ${SECRET}
tool: { name: MBE-1, time_zone: UTC }
limits: [{ source: log, channel: T, hi: 620, guidance: '${guidance}' }]
sources: [{ id: log, kind: log, path: '${path}' }]
`;

test('settings are the same without their comments', () => {
  const shared = withoutSecrets(settingsOf('Close the Ga shutter, then call 4711.')) ?? '';
  expect(parse(shared)).toEqual(parse(settingsOf('Close the Ga shutter, then call 4711.')));
  expect(shared).not.toContain(SECRET);
});

test('of the address of a webhook no more than its host is in them', () => {
  const text = `${settingsOf('x')}alarm: { webhook: 'https://hooks.example.org/${SECRET}/b?key=${SECRET}' }\n`;
  const shared = withoutSecrets(text) ?? '';
  expect(shared).toContain('webhook: https://hooks.example.org/(removed)');
  expect(shared).not.toContain(SECRET);
});

test.each([
  `the password is: ${SECRET}`,
  `Password ${SECRET} of the tool`,
  `log in: https://grower:${SECRET}@tool/stop`,
  `https://tool/stop?token=${SECRET}&now=1`,
  `Authorization: Bearer ${SECRET}`,
  `api_key=${SECRET}`,
  `use ${OPAQUE} there`,
  `PASSWD = a ${SECRET}`,
])('no secret of %j is in them', (guidance) => {
  const shared = withoutSecrets(settingsOf(guidance)) ?? '';
  expect(shared).not.toContain(SECRET);
  expect(shared).not.toContain(OPAQUE);
  expect(shared).toContain('(removed)');
  expect(parse(shared)).toMatchObject({ service: { proxy: 'http://proxy:3128' }, sources: [{ id: 'log' }] });
});

test('a share with a name and a password keeps host and folder alone', () => {
  const shared = withoutSecrets(settingsOf('x', `//grower:${SECRET}@host/Logs`)) ?? '';
  expect(parse(shared)).toMatchObject({ sources: [{ path: '//(removed)@host/Logs' }] });
});

test('settings that cannot be read are none', async () => {
  const folder = tempFolder();
  expect(await readSharedSettings(folder)).toBeNull();
  writeFileSync(lastSettingsIn(folder), `version: 1\npassword: ${SECRET}\n`);
  expect(await readSharedSettings(folder)).toBeNull();
  writeFileSync(lastSettingsIn(folder), settingsOf('x'));
  expect(await readSharedSettings(folder)).toContain('MBE-1');
});
