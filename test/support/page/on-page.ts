// What a person finds on a page, by its role and its name, and how they get there without a mouse.
import type { Locator, Page } from 'playwright-core';

const named = (role: 'button' | 'textbox' | 'combobox' | 'region' | 'link') => (page: Page, name: string | RegExp) =>
  page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name });

export const button = named('button');
export const field = named('textbox');
/** A field that offers what may stand in it, such as folders. */
export const combobox = named('combobox');
export const panel = named('region');
export const link = named('link');

/**
 * Keep every text that a part of the page shows from now on, however briefly.
 *
 * @param testId - of the part, which may come and go.
 * @returns the texts so far, oldest first.
 */
export async function watchTexts(page: Page, testId: string): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle((id) => {
    const shown: string[] = [];
    const look = () => {
      const text = document.querySelector<HTMLElement>(`[data-testid="${id}"]`)?.innerText ?? '';
      if (text !== shown.at(-1)) shown.push(text);
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    return shown;
  }, testId);
  return () => texts.jsonValue();
}

/** Elements that a walk by keyboard passes at most before it counts as lost. */
const STEPS_MAX = 120;

/** Go to an element with the Tab key alone, as somebody without a mouse does. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  // Found once, not at each step: to find by role looks at the whole page.
  let element = await wanted.elementHandle();
  for (let step = 0; step < STEPS_MAX; step++) {
    const where = await element?.evaluate((one) => [one.isConnected, one === document.activeElement]);
    if (where?.[1]) return;
    // The page may have drawn another one in its place.
    if (!where?.[0]) element = await wanted.elementHandle();
    else await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by ${STEPS_MAX} steps of the Tab key: ${wanted}`);
}

/** Elements that take the focus with Tab, as the page has them. */
const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';
/** Stops after which a walk has been caught. */
const STOPS_MAX = 400;

/**
 * Walk through the whole page with the Tab key, from where it stands until it comes there again.
 *
 * @returns what is wrong for somebody without a mouse: a stop that cannot be seen, an element that is never reached, a trap.
 */
export async function findTabFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let step = 0; step < STOPS_MAX; step++) {
    await page.keyboard.press('Tab');
    const told = await page.evaluate((tabbable) => {
      interface Walk {
        /** What the page had as the walk began: what comes up behind it meanwhile is not missed. */
        there: Set<Element>;
        seen: Set<Element>;
        former: Element | null;
        look: string;
        repeats: number;
      }
      const world = window as unknown as { tabWalk?: Walk };
      const there = () => new Set(document.querySelectorAll(tabbable));
      world.tabWalk ??= { there: there(), seen: new Set(), former: null, look: '', repeats: 0 };
      const walk = world.tabWalk;
      const words = (one: Element) =>
        `${one.tagName.toLowerCase()} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}"`;
      const drawn = (one: Element) => {
        // A frame may be drawn by what stands close around the element or beside it.
        const around = [
          one.parentElement,
          one.parentElement?.parentElement,
          one.parentElement?.parentElement?.parentElement,
        ];
        return [one, one.nextElementSibling, ...around]
          .map((part) => {
            if (!part) return '';
            const { outline, boxShadow, borderColor, backgroundColor, textDecoration } = getComputedStyle(part);
            return [outline, boxShadow, borderColor, backgroundColor, textDecoration].join();
          })
          .join(' / ');
      };
      const { former, look, repeats } = walk;
      const now = document.activeElement;
      // A field of a date has a stop for each of its parts.
      if (now !== null && now === former) {
        walk.repeats += 1;
        return { isOver: repeats > 5, faults: repeats > 5 ? [`caught at ${words(now)}`] : [] };
      }
      const faults = former?.isConnected && drawn(former) === look ? [`no focus is seen at ${words(former)}`] : [];
      const isOver = now !== null && walk.seen.has(now);
      // Behind the last stop and before the first the focus is on none.
      if (now === null || now === document.body || isOver) return { isOver, faults };
      walk.seen.add(now);
      Object.assign(walk, { former: now, look: drawn(now), repeats: 0 });
      const { top, bottom, width } = now.getBoundingClientRect();
      if (width > 0 && (bottom <= 0 || top >= innerHeight)) faults.push(`out of sight: ${words(now)}`);
      return { isOver, faults };
    }, TABBABLE);
    faults.push(...told.faults);
    if (told.isOver) return [...faults, ...(await findUnreached(page))];
  }
  return [...faults, `caught: it does not come round in ${STOPS_MAX} stops`];
}

/** What can be pressed or filled in and was not reached by the walk; of a group of radio buttons one is. */
function findUnreached(page: Page): Promise<string[]> {
  return page.evaluate((tabbable) => {
    const world = window as unknown as { tabWalk?: { there: Set<Element>; seen: Set<Element> } };
    const { there, seen } = world.tabWalk ?? { there: new Set(), seen: new Set() };
    delete world.tabWalk;
    const groups = new Set([...seen].map((one) => (one as HTMLInputElement).name));
    const isRadioOfGroup = (one: Element) =>
      one instanceof HTMLInputElement && one.type === 'radio' && groups.has(one.name);
    return [...document.querySelectorAll<HTMLElement>(tabbable)]
      .filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => there.has(one) && !seen.has(one) && !isRadioOfGroup(one))
      .map((one) => `never reached: ${one.tagName.toLowerCase()} "${one.ariaLabel ?? one.textContent?.slice(0, 40)}"`);
  }, TABBABLE);
}
