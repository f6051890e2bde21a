/** What the marks belong to that no source wrote: notes of an operator, and the course of growths. */
export const NOTES = '(notes)';
export const GROWTHS = '(growths)';
