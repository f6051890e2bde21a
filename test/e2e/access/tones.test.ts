// What README says of the colours is what the screen draws, in both themes that have them; the colour of what needs nobody
// stands for nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runningSnapshot, said } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';

/** Hues of the words, degrees. */
const HUES = { Green: [90, 170], Blue: [190, 250], Orange: [15, 45] } as const;
const WORDS = {
  ok: ['Green', 'with a tick means recording and delivered'],
  busy: ['Blue', 'with an arrow means safe here'],
  attention: ['Orange', 'with an exclamation mark means that something needs you'],
} as const;

/** The hue of `rgb(r, g, b)`, degrees. */
function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const sixth =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return (60 * sixth + 360) % 360;
}

test('the marks have the colours that README names, in both themes that have colours', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const { agent, page } = await openPageAgent();
  agent.show(runningSnapshot);
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: /^Theme: / }).click();
    await page.getByRole('menuitem', { name: theme, exact: true }).click();
    await page.getByRole('button', { name: `Theme: ${theme}` }).waitFor();
    const mark = page.getByTestId('sentence').locator('svg').first();
    const colourOf = () => mark.evaluate((one) => getComputedStyle(one).color);
    const colours: string[] = [];
    for (const tone of ['ok', 'busy', 'attention'] as const) {
      agent.show((atMs) => runningSnapshot(atMs, { sentence: said(tone, `It is ${tone}.`) }));
      await expect.poll(() => page.getByTestId('sentence').innerText()).toContain(`It is ${tone}.`);
      const [colour, meaning] = WORDS[tone];
      expect(readme).toContain(`${colour} ${meaning}`);
      const [least, most] = HUES[colour];
      colours.push(await colourOf());
      expect(hueOf(colours.at(-1) ?? '')).toBeGreaterThan(least);
      expect(hueOf(colours.at(-1) ?? '')).toBeLessThan(most);
    }
    const warning = page.getByTestId('source').getByRole('img', { name: 'warning' }).first();
    expect(colours).not.toContain(await warning.evaluate((one) => getComputedStyle(one).color));
  }
});
