// What a person may do with growths.
import type { Handlers } from '../../../contract/table.ts';
import type { Growth } from '../../../model/growth.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { growthView } from './growth-view.ts';

/** Who began or ended it, in the record of the growth. */
const BY_HAND = 'by hand';

/** The calls for growths. `running` throws while nothing runs. */
export function growthHandlers(
  running: () => Pick<Pipeline, 'growth' | 'store'> & { readonly link: Pick<Pipeline['link'], 'mark'> },
): Handlers['growth'] {
  const show = (growth: Growth) => {
    const { growth: desk, store, link } = running();
    return growthView(desk.find(growth.id) ?? growth, desk, store, link.mark);
  };
  return {
    read: async ({ growthId }) => {
      const { growth, store } = running();
      const found = growthId === null ? growth.current : (growth.find(growthId) ?? (await store.growth(growthId)));
      return found && show(found);
    },
    start: async (request) => show(await running().growth.start(request, { cause: BY_HAND })),
    change: async ({ growthId, mayOpenNew, ...given }) => {
      const { growth, carriedBy } = await running().growth.change(growthId ?? null, given, mayOpenNew);
      return { carriedBy, growth: await show(growth) };
    },
    end: async () => show(await running().growth.end(BY_HAND)),
    note: async ({ text }) => ({ timeMs: await running().growth.note(text) }),
    answer: async (argument) => {
      const { growth } = running();
      return show(
        argument.answer === 'new' ? await growth.answer('new', argument.start) : await growth.answer('continue'),
      );
    },
    list: async ({ before, limit }) => {
      const { growths, next } = await running().store.growths(before, limit);
      return { growths: await Promise.all(growths.map(show)), next };
    },
  };
}
