// A profile of a person's own that asks what acts is refused before anything is recorded, and the file and line are named.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkTool } from '../../../../src-main/agent/check/check-tool.ts';
import { parseSettings } from '../../../../src-main/settings/parse-settings.ts';
import { placeOfFault } from '../../../../src-main/sources/serial/profile/profile-place.ts';
import { notReadOnly } from '../../../../src-main/sources/serial/protocol/profile-fault.ts';

/** Line 11 asks the question, line 15 looks up a unit. */
const settingsOf = (commands: string, ask: string, lookup = 'UNIT?') => `version: 1
tool: { name: Sputter-1 }
sources:
  - id: smu
    kind: serial
    port: /dev/ttyNOWHERE
    instrument:
      { name: smu, title: Source-measure unit, family: line-ascii, protocol: { commands: ${commands} },
        questions: [
          { id: volts,
            ask: ${JSON.stringify(ask)},
            channels: [{ name: volts, unit: { lookup: volts } }] },
        ],
        lookups:
          { volts: { ask: ${JSON.stringify(lookup)} } } }
`;

async function check(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'check-tool-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'epistream.yaml');
  writeFileSync(file, text);
  const parsed = parseSettings(text, file);
  if (!parsed.isValid) throw new Error(JSON.stringify(parsed.faults));
  const findings = await checkTool(parsed.settings, file, folder, null);
  return { file, finding: findings.find(({ subject }) => subject === 'source smu') };
}

const ACTING = [
  ...[':MEAS:VOLT?', ':MEAS:CURR?', 'MEAS:VOLT:DC? 10,0.001,(@101:110)', 'MEAS2:CURR?', ':ABOR?', 'TRAC:CLE?'],
  ...[
    ':SOUR:CLE?',
    '*SAV?',
    ':SYST:SELFTEST?',
    'ZERO:ACQ?',
    'MEAS:RES?',
    'READ?',
    ':INIT?',
    '*TST?',
    '*CAL?',
    'DATA:REM? 5',
  ],
];

test.each(ACTING)('scpi: %s', async (ask) => {
  const { file, finding } = await check(settingsOf('scpi', ask));
  expect(finding?.level).toBe('error');
  expect(finding?.message).toContain(`${file}, line 11: `);
  expect(finding?.message).toContain('is not known to only read');
});

test('a lookup that acts is named by its line, too', async () => {
  const { file, finding } = await check(settingsOf('scpi', 'FETC?', ':INIT?'));
  expect(finding?.message).toContain(`${file}, line 15: `);
});

test('what only reads on some instruments wants to know first which one answers', async () => {
  const { finding } = await check(settingsOf('scpi-supply', 'MEAS:VOLT?'));
  expect(finding).toMatchObject({ level: 'error', message: expect.stringContaining('does not ask *IDN? first') });
});

test('a fault of an instrument that ships is found in its own file, also where an option makes several questions of one', async () => {
  const fault = notReadOnly('lakeshore-336, question kelvin-B', 'no');
  const place = await placeOfFault(fault, { id: 'x', instrument: 'lakeshore-336' }, '/nowhere');
  expect(place).toMatch(/resources.instruments.lakeshore-336\.yaml, line \d+$/);
  const first = await placeOfFault(
    notReadOnly('lakeshore-336, identity', 'no'),
    { id: 'x', instrument: 'lakeshore-336' },
    '/nowhere',
  );
  expect(Number(place?.split(' ').at(-1))).toBeGreaterThan(Number(first?.split(' ').at(-1)));
});
