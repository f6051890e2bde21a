// How the agent without a window is started where it is installed: `npm run agent`, and what starts it in `resources/install`.
// What is measured is started likewise. A test holds them against each other.

/** Given to Node: a young generation that stays small, in megabytes, is collected more often and takes less memory. */
export const NODE_FLAGS = ['--max-semi-space-size=2'];

/** Set for the C library of Linux: one pool of memory for all threads leaves fewer holes than one for each. */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };
