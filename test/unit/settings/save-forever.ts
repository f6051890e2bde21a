// Saves settings as fast as it can until it is killed: a small file and a large one in turns.
import { saveSettings } from '../../../src-main/settings/save-settings.ts';

const [, , file = ''] = process.argv;

for (let round = 0; ; round++) {
  const isSmall = round % 2 === 0;
  await saveSettings(file, () => ({
    version: 1,
    tool: { name: isSmall ? 'small' : 'large' },
    sources: Array.from({ length: isSmall ? 1 : 200 }, (_, index) => ({ id: `s${index}`, kind: 'simulator' as const })),
  }));
  if (round === 0) process.send?.('saved');
}
