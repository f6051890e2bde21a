// Settings, sources, journal and help of the small agent for page tests: nothing is set up, and it says so.
import type { Handlers } from '../../../src-main/contract/table.ts';
import { AgentError } from '../../../src-main/model/agent-error.ts';

const none = new AgentError({
  code: 'settings.none',
  message: 'The trial has no settings of its own.',
  hint: 'Press "Connect your tool": that makes them.',
});
const refuse = () => Promise.reject(none);

export const idleSetup: Pick<Handlers, 'settings' | 'limit' | 'source' | 'heldSource' | 'journal' | 'support'> = {
  limit: { list: refuse, save: refuse, remove: refuse, acknowledge: async () => null },
  settings: { read: refuse, listAll: refuse, set: refuse, test: refuse, save: refuse },
  source: {
    list: async () => [],
    listPorts: async () => ({ ports: [], problem: '' }),
    listInstruments: async () => [],
    describeInstrument: refuse,
    listDialects: async () => [],
    listFolders: async () => [],
    previewLog: refuse,
    startLook: refuse,
    startProbe: refuse,
    readLook: refuse,
    endLook: async () => null,
    save: refuse,
    remove: refuse,
  },
  heldSource: { list: async () => [], look: refuse, answer: refuse },
  journal: {
    list: async () => ({ entries: [], next: null }),
    writeShiftNote: async () => ({ text: '' }),
    listSources: async () => [],
  },
  support: { makeBundle: refuse, startDrill: refuse, readDrill: async () => null, endDrill: async () => null },
};
