/** Exit codes that scripts may rely on. */
export const EXIT = {
  done: 0,
  /** Something is wrong: settings, a folder, a port, a key. The message says what. */
  fault: 1,
  /** The command line itself does not fit. */
  usage: 2,
  /** A drain could not deliver everything; what is left stays in the queue. */
  notDelivered: 3,
} as const;
