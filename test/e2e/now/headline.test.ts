// The headlines of random facts in the real page: each fits where it stands, at every size of a screen.
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildSnapshot } from '../../../src-main/agent/status/build-snapshot.ts';
import { anyFacts } from '../../support/any-facts.ts';
import { runningSnapshot } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';
import { walks } from '../../support/run/effort.ts';

/** Texts that do not fit into a part of the banner. */
const findCut = (page: Page, part: 'standing' | 'headline', texts: readonly string[]) =>
  page.evaluate(
    ([selector, all]) => {
      const place = document.querySelector<HTMLElement>(`[data-testid="sentence"] h1 ${selector}`);
      if (!place) throw new Error('there is no banner');
      return all.filter((text) => {
        place.textContent = text;
        return place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth;
      });
    },
    [part === 'headline' ? 'bdi' : 'span', texts] as const,
  );

test('whatever is wrong, the headline needs two lines at most and what is recorded needs one', async () => {
  const texts = { standing: new Set<string>(), headline: new Set<string>() };
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { standing, headline } = buildSnapshot(given, 1).sentence;
      // The widest digit: one text for all numbers of as many digits.
      texts.standing.add(standing.replaceAll(/\d/g, '8'));
      texts.headline.add(headline.replaceAll(/\d/g, '8'));
    }),
    walks(10_000),
  );
  const { page } = await openPageAgent({}, (agent) => agent.show((atMs) => runningSnapshot(atMs)));
  await page.getByTestId('sentence').waitFor();
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await findCut(page, 'headline', [...texts.headline])).toEqual([]);
    expect(await findCut(page, 'standing', [...texts.standing])).toEqual([]);
    const tooLong = 'No data from a source. '.repeat(20);
    expect(await findCut(page, 'headline', [tooLong])).toEqual([tooLong]);
    expect(await findCut(page, 'standing', [tooLong])).toEqual([tooLong]);
  }
  console.log(`${texts.headline.size} headlines, ${texts.standing.size} of what is recorded`);
});
