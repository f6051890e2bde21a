// Keys that work on every page, and the places that they lead to.

/** The keys, as the page Help lists them. */
export const shortcuts = [
  { key: 'W', what: 'Wall view' },
  { key: 'N', what: 'Add a note' },
  { key: 'Space', what: 'Freeze or follow the plots' },
] as const;

export const WALL = '/wall';
/** The field for a note; a page that has it shows it under this id. */
export const NOTE_ID = 'add-note';
/** Told to a page of plots that follows the time, or stands still. */
export const FREEZE = 'epistream-freeze';
