// Catalogue, exports and library of the small agent: a service with nothing in it.
import type { Handlers } from '../../../src-main/contract/table.ts';
import { AgentError } from '../../../src-main/model/agent-error.ts';

const nothing = async () =>
  Promise.reject(new AgentError({ code: 'service.target-gone', message: 'There is nothing here.', hint: '' }));

export const idleCatalogue: Handlers['catalogue'] = {
  list: async () => ({ entries: [], isLast: true }),
  entry: async () => null,
  series: async () => null,
  rheedSettings: nothing,
  rheedMetadata: async () => null,
  frames: nothing,
  picture: nothing,
  xps: nothing,
  sims: nothing,
  rawFile: nothing,
  rawLink: nothing,
  untag: async () => ({ failed: [] }),
  giveUp: async () => null,
};

export const idleExports: Handlers['exports'] = {
  list: async () => ({ exports: [], folder: '/home/user' }),
  start: nothing,
  cancel: async () => null,
};

export const idleLibrary: Handlers['library'] = {
  known: async () => ({
    ...{ instruments: [], projects: [], samples: [], looked: 0, isWhole: true, problem: '', hint: '' },
  }),
  targets: async () => ({ targets: [], left: 0 }),
  changeLayer: nothing,
  createInstrument: nothing,
  createProject: nothing,
  setSamples: nothing,
};
