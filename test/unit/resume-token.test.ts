import { expect } from 'chai';
import fc from 'fast-check';
import { encode } from '../../src/domain/reading/cursor.ts';
import { formatResumeToken, parseResumeToken, type ResumeToken } from '../../src/streams/resume-token.ts';
import { tamperings } from '../support/tampering.ts';

const token: fc.Arbitrary<ResumeToken> = fc.record({
  since: fc.nat(Number.MAX_SAFE_INTEGER).map((ms) => ms % 10 ** 15),
  entry: fc.nat(Number.MAX_SAFE_INTEGER).map((n) => n % 10 ** 15),
  items: fc.nat(999_999_999),
});

describe('the token to resume a stream by', () => {
  it('reads as what it was made of, for every position', () => {
    fc.assert(
      fc.property(token, (each) => {
        expect(parseResumeToken(formatResumeToken(each))).to.deep.equal(each);
      }),
      { numRuns: 500 },
    );
  });

  it('goes into a line of a stream and into a header as it is', () => {
    fc.assert(
      fc.property(token, (each) => {
        expect(formatResumeToken(each)).to.match(/^[\w-]+$/);
      }),
    );
  });

  it('stands for nothing, or for a token that is read again as the same, with any character replaced', () => {
    fc.assert(
      fc.property(token, (each) => {
        for (const text of tamperings(formatResumeToken(each))) {
          const found = parseResumeToken(text);
          if (found) expect(parseResumeToken(formatResumeToken(found))).to.deep.equal(found);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('stands for nothing where it is any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }).map(encode), fc.base64String());
    fc.assert(
      fc.property(text, (each) => {
        expect(parseResumeToken(each)).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('stands for nothing where a part is missing, is too many, or is no whole number that fits', () => {
    for (const text of ['1', '1 2', '1 2 3 4', '1 2 -3', '1 2.5 3', '1 2 ', ' 1 2 3', `1 ${'9'.repeat(16)} 3`]) {
      expect(parseResumeToken(encode(text)), text).to.equal(undefined);
    }
  });

  it('is of long ago where a version before made it, from snapshots of Postgres', () => {
    for (const text of ['1795000000000 763:765:763', '1795000000000 7:9: 1795000000001 9:9: 8 01936b2e-7c19-7a02']) {
      expect(parseResumeToken(encode(text)), text).to.deep.equal({ since: 0, entry: 0, items: 0 });
    }
  });
});
