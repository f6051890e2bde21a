import { describe, expect, it } from 'vitest';
import { placeOfIllFormed } from '../../../../src-main/local-service/requests/well-formed.ts';

describe('placeOfIllFormed', () => {
  it.each([
    ['\ud800', []],
    [{ a: [1, { b: 'x\udfff' }] }, ['a', 1, 'b']],
    [{ a: { '\ud83d': 1 } }, ['a', '\ud83d']],
    [JSON.parse('{"__proto__": "\\ud800"}'), ['__proto__']],
  ])('finds the place in %j', (value, place) => {
    expect(placeOfIllFormed(value)).toEqual(place);
  });

  it.each([null, 1, '', '\u{1f600}', [], {}, { a: [null, true, 'b'] }])('finds nothing in %j', (value) => {
    expect(placeOfIllFormed(value)).toBeNull();
  });

  it('comes to an end whatever the nesting', () => {
    expect(placeOfIllFormed(JSON.parse(`${'['.repeat(1e6)}"\\ud800"${']'.repeat(1e6)}`))).toBeNull();
  });
});
