import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY, fieldBytes, jsonbBytes, SEPARATOR } from '../../src/db/jsonb-binary.ts';

/** That the size is what Postgres prints, `test/domain/jsonb-bytes.test.ts` says. */
describe('the size of JSON, put together from parts', () => {
  it('of an object is the sum of its fields, so that a field can be added and taken away', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const fields = Object.entries(object).map(([key, value]) => fieldBytes(key, jsonbBytes(value)));
        const sum = fields.reduce((a, b) => a + b, 0);
        expect(jsonbBytes(object)).to.equal(Math.max(EMPTY, sum));
      }),
    );
  });

  it('of a list is the sum of its items and their separators', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (list) => {
        const sum = list.reduce<number>((bytes, item) => bytes + jsonbBytes(item) + SEPARATOR, 0);
        expect(jsonbBytes(list)).to.equal(Math.max(EMPTY, sum));
      }),
    );
  });

  it('is that of the compact text and a space for each colon and comma, where no number is written with an exponent', () => {
    const leaf = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
    const tree = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), fc.array(leaf)));
    fc.assert(
      fc.property(tree, (value) => {
        const compact = Buffer.byteLength(JSON.stringify(value));
        expect(jsonbBytes(value)).to.equal(compact + spacesOf(value));
      }),
    );
  });

  function spacesOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    const parts = Object.values(value);
    const own = Math.max(0, parts.length - 1) + (Array.isArray(value) ? 0 : parts.length);
    return parts.reduce((sum: number, part) => sum + spacesOf(part), own);
  }
});
