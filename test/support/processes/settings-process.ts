// Saves settings again and again and prints the number of each save that is done. Arguments: the file, `whole` for the way
// of the agent or `in-place` for the way that loses, and how many.
import { writeFileSync, writeSync } from 'node:fs';
import { saveSettings } from '../../../src-main/settings/save-settings.ts';

const [file = '', way = 'whole', count = '1'] = process.argv.slice(2);

for (let save = 1; save <= Number(count); save++) {
  // Of different lengths, so that half of one is never another one.
  const sources = Array.from({ length: 1 + (save % 5) }, (_, n) => ({ id: `s${n}`, kind: 'simulator' as const }));
  if (way === 'whole') await saveSettings(file, () => ({ version: 1, tool: { name: `save ${save}` }, sources }));
  else writeFileSync(file, `version: 1\ntool: { name: save ${save} }\nsources: ${JSON.stringify(sources)}\n`);
  writeSync(1, `${save}\n`);
}
