/** Texts of the page of plots. */
export const words = { compare: 'Compare growths' } as const;
