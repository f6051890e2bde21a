// Every call of the queue, and what a full or failing disk does to it (queue-file.ts). The types of the queue and of the store
// are made from this table: a call that is not here does not exist, and one that no part answers does not compile.

/**
 * - `read`: only looks, and is answered also while the disk refuses to be written.
 * - `chunk`: reads what is to be sent; refused while the path of the queue leads elsewhere. Those that the disk altered are set
 *   aside on the way.
 * - `capture`: a commit of the recorder: refused rather than given the reserve, and its sequence noted in the ledger.
 * - `fill`: what is sent again: refused rather than given the reserve.
 * - `note`: written where there is room.
 * - `drain`: empties the queue, and may use the reserve.
 * - `inner`: the same, made by the queue itself; the store does not offer it.
 * - `file`: answered by the file, not by a table in it.
 */
export type CallKind = 'read' | 'chunk' | 'capture' | 'fill' | 'note' | 'drain' | 'inner' | 'file';

export const CALLS = {
  load: 'read',
  commit: 'capture',
  positions: 'read',

  uploadStreams: 'read',
  uploadStream: 'read',
  markInitializeSent: 'drain',
  unmarkInitializeSent: 'drain',
  setInitialized: 'drain',
  nextChunk: 'chunk',
  nextChunks: 'chunk',
  chunkAfter: 'chunk',
  acknowledgedPoints: 'read',
  acknowledgedAfter: 'read',
  takeBack: 'drain',
  setAcknowledged: 'drain',
  acknowledgePart: 'drain',
  acknowledge: 'drain',
  refuse: 'drain',
  split: 'drain',
  finish: 'drain',
  streamToFinalize: 'read',
  streamsToFinalize: 'read',
  setFinalized: 'drain',
  setAside: 'inner',

  knownEntries: 'read',
  listChannelNames: 'read',
  recut: 'fill',
  noteHoldsMore: 'drain',
  answerHeld: 'drain',
  settleHeld: 'drain',

  refusedChunks: 'read',
  sendAgain: 'fill',
  sendAsNew: 'fill',
  lastIds: 'read',

  sweep: 'drain',
  dropAcknowledged: 'inner',
  noteGivenUp: 'drain',

  tally: 'read',
  listChannels: 'read',
  readPoints: 'read',
  listGaps: 'read',

  readWindow: 'read',
  countAcknowledgedAfter: 'read',

  findStreams: 'read',
  listStreams: 'read',
  streamFacts: 'read',
  storedPage: 'read',
  unconfirmedStreams: 'read',
  putConfirmation: 'drain',

  addEvent: 'note',
  listEvents: 'read',
  findEvents: 'read',
  listMarks: 'read',
  listRefusedCells: 'read',

  account: 'read',
  setAccountMark: 'drain',
  formerServices: 'read',
  chooseFormer: 'drain',
  limitStates: 'read',
  putLimitStates: 'note',

  putRheedSession: 'drain',
  rheedSessions: 'read',
  rheedEntries: 'read',

  growths: 'read',
  growth: 'read',
  growthStreams: 'read',

  storedSpan: 'read',
  keptPoints: 'read',
  streamsIn: 'read',

  room: 'file',
  look: 'file',
  close: 'file',
} as const satisfies Readonly<Record<string, CallKind>>;

export type CallName = keyof typeof CALLS;

type NamesOf<K extends CallKind> = { [N in CallName]: (typeof CALLS)[N] extends K ? N : never }[CallName];

/** Calls that the file answers. */
export type FileCallName = NamesOf<'file'>;

/** Calls that the store offers. */
export type StoreCallName = NamesOf<Exclude<CallKind, 'inner'>>;
