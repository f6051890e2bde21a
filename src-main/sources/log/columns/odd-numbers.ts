// Numbers in a form that is not read: with digits in groups, with the exponents of Fortran, with a sign behind them, as a
// product with a power of ten. A column of them is no text, and what else the file writes with the same mark may be grouped as well.

const FORMS = [
  // 12,340.5 · 1.200,5 · 1'200 · 1 200
  /^[+-]?\d{1,3}([.,'’` \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d*)?(?:e[+-]?\d+)?$/i,
  // 1.2D-8 · 1.2 E-8 · 1.2-8
  /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:d[+-]?| *e *[+-] *| +e *)\d{1,3}$/i,
  /^[+-]?\d[.,]\d+[+-]\d{1,3}$/,
  // (1.5) · 1.5- · a minus that is none of ASCII
  /^\((?:\d+[.,]?\d*|[.,]\d+)\)$/,
  /^(?:\d+[.,]?\d*|[.,]\d+)-$/,
  /^[−–‒—﹣－]\s*(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-−]?\d{1,3})?$/i,
  /^[+-]?\d+(?:[.,]\d+)?\s*[x×*·]\s*10\s*\^?\s*\(?[+-]?[\d⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+\)?$/i,
  // Digits of another script, such as full-width ones.
  /^[+-]?(?=.*(?!\d)\p{Nd})[\p{Nd}.,．，]+$/u,
];

/** True for a number in a form that is not read, or that may be one: 1.200 can be grouped as well. */
export function isOddNumber(cell: string): boolean {
  return FORMS.some((form) => form.test(cell));
}

/** The mark that groups the digits of a cell; null where none certainly does. */
export function groupingMark(cell: string): '.' | ',' | null {
  const [, mark] = /^[+-]?\d{1,3}([.,])\d{3}(?:(?:\1\d{3})+|(?=[.,]))(?:(?!\1)[.,]\d*)?$/.exec(cell) ?? [];
  return mark === '.' || mark === ',' ? mark : null;
}
