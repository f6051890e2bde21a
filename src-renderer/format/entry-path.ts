/** Write the path of the page of an entry, behind the #, with another one (`over`) laid over it. */
export const pathOfEntry = (dataId: string, over: string | null = null): string =>
  `/catalogue/entry/${encodeURIComponent(dataId)}${over === null ? '' : `/over/${encodeURIComponent(over)}`}`;
