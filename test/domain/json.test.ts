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
        if (BigInt(Number(integer)) === integer) expect(parsed[0]).to.equal(Number(integer));
        else if (integer % 10n !== 0n) expect(problemOfUnstorable(parsed[0])).to.include('would lose digits');
      }),
    );
  });

  it('accepts what other languages print of a double, with any number of digits, in its shortest form', () => {
    const prints = (number: number) => [
      number.toPrecision(17),
      number.toExponential(16),
      number.toPrecision(18),
      number.toPrecision(40),
      number.toPrecision(100),
    ];
    const check = (number: number) => {
      for (const text of prints(number)) {
        expect(JSON.stringify(parseLosslessJson(`[${text}]`)), text).to.equal(`[${number}]`);
        expect(exactNumber(text), text).to.equal(number);
      }
    };
    for (const number of [47.95, 0.1, 1 / 3, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, 1e23]) check(number);
    fc.assert(fc.property(fc.integer({ min: 1, max: 100_000_000 }), (cents) => check(cents / 100)));
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => check(number || 1)));
    // What is half-way between two prints may be either; and exactly what a double is has up to 767 digits.
    for (const text of ['562949953421312.12', '562949953421312.13'])
      expect(exactNumber(text), text).to.equal(Number(text));
    const whole = `${5n ** 1074n}e-1074`;
    expect(exactNumber(whole)).to.equal(5e-324);
    expect(exactNumber(whole.replace('5e', '4e'))).to.equal(undefined);
  });

  it('refuses what differs from its double in a digit, however small', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 18, max: 100 }), (cents, length) => {
        const number = cents / 100 + 0.001;
        const text = number.toPrecision(length);
        const last = Number(text.at(-1));
        const changed = text.slice(0, -1) + (last < 5 ? last + 5 : last - 4);
        expect(exactNumber(changed), changed).to.equal(undefined);
      }),
    );
    for (const text of [
      '9007199254740993',
      '9007199254740993.0',
      '-9007199254740993',
      '0.30000000000000001',
      '1e-400',
    ]) {
      expect(exactNumber(text), text).to.equal(undefined);
    }
  });

  it('accepts whole numbers that are what a double is when printed with so many digits', () => {
    for (const text of ['9007199254740992', '9007199254740994', '36028797018963970', '100000000000000000000']) {
      expect(exactNumber(text), text).to.equal(Number(text));
    }
    for (const text of ['36028797018963968', '175928847299117056', '1152921504606846976']) {
      expect(exactNumber(text), text).to.equal(Number(text));
      expect(exactNumber(`${text}.0`), text).to.equal(Number(text));
      expect(exactNumber(String(BigInt(text) + 1n)), `${text} + 1`).to.equal(undefined);
    }
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
