// When the headline says something else: for a screen reader, which must not read it out with each number that moves.

/** All of it, or all but the chunk that is being filled: a stream that is well goes to and fro between the two. */
const DELIVERED = /All delivered\.|Everything older than .+ is delivered\./;
/** A number that stands alone. What is part of a name (gauge1, COM3, A1417) tells one thing from another. */
const NUMBER = /(?<![\p{L}\p{N}_.:/-])\d[\d,.]*(?![\p{L}\p{N}_/-])/gu;

/** What of a headline stays the same while only its numbers change. */
export function meaningOf(tone: string, text: string): string {
  return `${tone} ${text.replace(DELIVERED, 'delivered').replaceAll(NUMBER, '#')}`;
}
