/** Names of the levels of an alarm, from the top down. */
export const LEVELS = { hihi: 'HiHi', hi: 'Hi', lo: 'Lo', lolo: 'LoLo' } as const;
