import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receiptPage } from '../../../../src-main/delivery/receipt/receipt-page.ts';
import { countLines, receiptText, standing } from '../../../../src-main/delivery/receipt/receipt-words.ts';
import { receiptWith } from '../../../support/receipts.ts';

const MARKUP = `</title></style><script>alert(1)</script><img src=x onerror="alert('1')">&amp;`;
/** The tags of a page, in order: what a browser builds the document from. */
const tags = (page: string) => page.match(/<[^>]*>/g) ?? [];

describe('receiptPage', () => {
  test('no text of a log, a name or the service becomes markup', () => {
    const plain = tags(receiptPage(receiptWith('plain')));
    expect(tags(receiptPage(receiptWith(MARKUP)))).toEqual(plain);
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', 'a', ' ', '\n', '\u0000', '\u202e') }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        expect(tags(receiptPage(receiptWith(text)))).toEqual(plain);
      }),
    );
  });

  test('shows the texts as they are, and characters that would turn or hide text by their code', () => {
    const page = receiptPage(receiptWith(`x${MARKUP}\u202egnp.exe`));
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('\\u{202e}gnp.exe');
    expect(page).not.toContain('\u202e');
  });

  test('stands alone: no script, nothing is loaded, and it says so to the browser', () => {
    const page = receiptPage(receiptWith('https://evil.example/x.js'));
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\s(src|href|on\w+)=/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).toMatch(/^<!doctype html>/);
  });

  test('has every number of the receipt, under the same names as the terminal', () => {
    const receipt = receiptWith('plain');
    const [page, text] = [receiptPage(receipt), receiptText(receipt)];
    for (const [name, value] of countLines(receipt)) {
      expect(page).toContain(name);
      expect(page).toContain(value);
      expect(text).toMatch(new RegExp(`${name} +${value.replace(/[()]/g, '\\$&')}`));
    }
    for (const word of ['ab'.repeat(32), standing(receipt)]) {
      expect(page).toContain(word);
      expect(text).toContain(word);
    }
  });
});

test('the terminal gets no control character of a log', () => {
  const text = receiptText(receiptWith('a\u001b[2Jb\rc\u009bd'));
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text).toContain('a\\u{1b}[2Jb\\u{d}c\\u{9b}d');
});

describe('standing', () => {
  const receipt = receiptWith('plain');
  const told = (outcome: 'confirmed' | 'counted' | 'differs' | null, more: object = {}) =>
    standing({
      ...receipt,
      ...more,
      confirmation: outcome && { atMs: 1, outcome, pointsCompared: 90, pointsExpected: 100, notes: ['note'] },
    });

  test('says "confirmed point by point" only when every point was compared', () => {
    expect(told('confirmed')).toContain('Confirmed point by point');
    for (const other of ['counted', 'differs', null] as const) expect(told(other)).not.toMatch(/confirmed point/i);
    expect(told('counted')).toContain('90 of 100');
    expect(told(null)).toContain('Not read back yet');
  });

  test('says delivered of no stream that is not, whatever a former read-back said', () => {
    for (const state of ['open', 'closed'] as const) {
      const stream = { ...receipt.stream, state };
      const text = told('confirmed', { stream, counts: { ...receipt.counts, pointsWaiting: 5 } });
      expect(text).toContain('not yet delivered');
      expect(text).not.toMatch(/confirmed/i);
      // With nothing waiting at this moment: so far, and no more than that.
      const soFar = told('confirmed', { stream, counts: { ...receipt.counts, pointsWaiting: 0 } });
      expect(soFar).toContain('stored so far');
      expect(soFar).not.toMatch(/confirmed/i);
    }
  });

  test('never leaves out that points were refused', () => {
    for (const outcome of ['confirmed', 'counted', 'differs', null] as const) {
      expect(told(outcome)).toContain('10 points were refused by the service');
    }
  });
});
