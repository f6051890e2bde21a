/** Write the path of the page of an entry, behind the #. */
export const pathOfEntry = (dataId: string): string => `/catalogue/entry/${encodeURIComponent(dataId)}`;
