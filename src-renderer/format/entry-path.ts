/**
 * Write the path of the page of an entry, behind the #.
 *
 * @param over - the entry that is laid over it; null: none.
 */
export const pathOfEntry = (dataId: string, over: string | null = null): string =>
  `/catalogue/entry/${encodeURIComponent(dataId)}${over === null ? '' : `/over/${encodeURIComponent(over)}`}`;
