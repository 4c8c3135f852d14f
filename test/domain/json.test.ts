import { expect } from 'chai';
import fc from 'fast-check';
import { exactNumber, parseLosslessJson, problemOfUnstorable } from '../../src/domain/lossless-json.ts';

describe('Parsing JSON', () => {
  it('preserves every kind of value', () => {
    const unmarked = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(unmarked, (value) => {
        const text = JSON.stringify(value);
        if (/\\u0000|\\ud[89a-f]/i.test(text)) return;
        expect(parseLosslessJson(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it("marks every number that a double can't hold", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }), (integer) => {
        const parsed = parseLosslessJson(`[${integer}]`) as unknown[];
        const isExact = BigInt(Number(integer)) === integer && String(Number(integer)) === String(integer);
        if (isExact) expect(parsed[0]).to.equal(Number(integer));
        else if (BigInt(Number(integer)) !== integer)
          expect(problemOfUnstorable(parsed[0])).to.include('would lose digits');
      }),
    );
  });

  it('accepts every notation of a number that a double can hold', () => {
    for (const text of ['1.50', '15e-1', '0.0', '-0', '1E5', '100000000000000000000', '1e+21', '0.1', '5e-324']) {
      expect(parseLosslessJson(`{"a":${text}}`)).to.deep.equal({ a: Number(text) });
      expect(exactNumber(text), text).to.equal(Number(text));
    }
    for (const text of ['9007199254740993', '1e400', '0.10000000000000000001', '', ' ', '0x10', '1_000', '+1', 'NaN']) {
      expect(exactNumber(text), text).to.equal(undefined);
    }
  });
});
