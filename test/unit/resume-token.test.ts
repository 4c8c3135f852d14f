import { expect } from 'chai';
import fc from 'fast-check';
import {
  formatResumeToken,
  isSnapshotBefore,
  parseResumeToken,
  type ResumeToken,
} from '../../src/domain/change-feed/resume-token.ts';
import { encode } from '../../src/domain/reading/cursor.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { tamperings } from '../support/tampering.ts';

/** As Postgres writes them: `xmin:xmax:` and those between them that are under way. */
const snapshot = fc
  .record({
    running: fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 17n }), { maxLength: 6 }),
    before: fc.bigInt({ min: 0n, max: 3n }),
    behind: fc.bigInt({ min: 1n, max: 10n ** 6n }),
    none: fc.bigInt({ min: 1n, max: 10n ** 17n }),
  })
  .map(({ running, before, behind, none }) => {
    const xids = running.toSorted((a, b) => (a < b ? -1 : 1));
    const [first = none + before, last = none] = [xids[0], xids.at(-1)];
    const xmin = first > before ? first - before : 1n;
    return `${xmin}:${(last > xmin ? last : xmin) + behind}:${xids.join(',')}`;
  });
const since = fc.nat(Number.MAX_SAFE_INTEGER).map((ms) => ms % 10 ** 15);
const token: fc.Arbitrary<ResumeToken> = fc.record(
  {
    since,
    seen: snapshot,
    partly: fc.record({
      since,
      snapshot,
      xid: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }).map(String),
      id: fc.uuid(),
    }),
  },
  { requiredKeys: ['since', 'seen'] },
);

describe('the token to resume a stream by', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createEmptyDatabase();
  });
  after(() => database.drop());

  it('reads as what it was made of, for every snapshot and row', () => {
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

  it('stands for nothing where it has a part too few or too many', () => {
    const parts = ['1', '2:2:', '3', '4:4:', '5', '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77', 'more'];
    const read = parts.map((_, i) => parseResumeToken(encode(parts.slice(0, i + 1).join(' '))) !== undefined);
    expect(read).to.deep.equal([false, true, false, false, false, true, false]);
  });

  it('has a snapshot that Postgres takes, or stands for nothing, whatever somebody wrote into it', async () => {
    const number = fc.constantFrom('', '0', '1', '2', '3', '5', '8', '08', '-1', '999999999999999999', '1'.repeat(30));
    const forged = fc
      .tuple(number, number, fc.array(number, { maxLength: 3 }), fc.constantFrom('', '', '', ',', ':', ' '))
      .map(([xmin, xmax, running, end]) => `${xmin}:${xmax}:${running.join(',')}${end}`);
    const tampered = fc.sample(token, 2).flatMap((each) => [...tamperings(formatResumeToken(each))]);
    const texts = [...fc.sample(forged, 5_000).map((each) => encode(`1 ${each}`)), ...tampered];
    const seen = texts.flatMap((text) => parseResumeToken(text) ?? []).map((each) => each.seen);
    const different = [...new Set(seen)];
    expect(different.length).to.be.above(20);
    const list = different.map((each) => `'${each}'`).join(', ');
    const rows = await database.query<{ s: string }>(
      `select s::pg_snapshot::text as s from unnest(array[${list}]) as t (s)`,
    );
    expect(rows.map(({ s }) => s)).to.deep.equal(different);
  });

  it('is read for every snapshot that Postgres itself makes', async () => {
    const [row] = await database.query<{ s: string }>('select pg_current_snapshot()::text as s');
    const seen = row?.s as string;
    expect(parseResumeToken(formatResumeToken({ since: 1, seen }))).to.deep.equal({ since: 1, seen });
  });

  it('is of the same database only where it knows no later transactions, compared as numbers', () => {
    expect(isSnapshotBefore('9:9:', '10:10:')).to.equal(true);
    expect(isSnapshotBefore('10:10:', '9:9:')).to.equal(false);
    expect(isSnapshotBefore('5:10:7', '10:10:')).to.equal(true);
    expect(isSnapshotBefore('900000000000000000:900000000000000001:', '1:900000000000000000:')).to.equal(false);
  });
});
