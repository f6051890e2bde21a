// With "prefers-reduced-motion" no page fades or moves anything.
import { expect, test } from 'vitest';
import { runningSnapshot } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';

test('nothing fades when the theme changes', async () => {
  const { agent, page, go } = await openPageAgent();
  agent.show(runningSnapshot);
  for (const place of ['/', '/streams', '/plots', '/settings']) {
    await go(place);
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    for (const mantineColorScheme of ['dark', 'light']) {
      const moving = await page.evaluate((scheme) => {
        document.documentElement.dataset.mantineColorScheme = scheme;
        // What turns for ever says that something is under way.
        return document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).length;
      }, mantineColorScheme);
      expect([place, moving]).toEqual([place, 0]);
    }
  }
});
