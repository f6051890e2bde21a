/** Texts of the pages of growths. */
export const words = { compare: 'Compare with others' } as const;
