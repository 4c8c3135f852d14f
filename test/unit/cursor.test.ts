import { expect } from 'chai';
import fc from 'fast-check';
import {
  decode,
  encode,
  idCursor,
  type PageRequest,
  readIdCursor,
  readPortions,
  readTimeCursor,
  timeCursor,
  toPage,
} from '../../src/domain/reading/cursor.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { EARLIEST, LATEST } from '../../src/domain/time/moment.ts';
import { tamperings } from '../support/tampering.ts';

const place = fc.record({ at: fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true }), id: fc.uuid() });

/** What a cursor reads as; undefined where it is refused as one that is none. Any other error fails the test. */
function read<Place>(reader: (cursor: string) => Place, cursor: string): Place | undefined {
  try {
    return reader(cursor);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
    if (error.violations[0]?.path.join() !== 'cursor') throw error;
    return undefined;
  }
}

describe('cursors', () => {
  it('of time and id read as the place that they were made of, for every time and id', () => {
    for (const at of [EARLIEST, new Date(-1), new Date(0), new Date(1), LATEST]) {
      const each = { at, id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77' };
      expect(readTimeCursor(timeCursor(each))).to.deep.equal(each);
    }
    fc.assert(
      fc.property(place, (each) => {
        expect(readTimeCursor(timeCursor(each))).to.deep.equal(each);
      }),
    );
  });

  it('of an id read as the id that they were made of, for every id', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(readIdCursor(idCursor({ id }))).to.equal(id);
      }),
    );
  });

  it('go into the query of a URL as they are', () => {
    fc.assert(
      fc.property(place, (each) => {
        for (const cursor of [timeCursor(each), idCursor(each)]) expect(encodeURIComponent(cursor)).to.equal(cursor);
      }),
    );
  });

  it('of time and id, with any character replaced, are refused or are the cursor of the place that they read as', () => {
    fc.assert(
      fc.property(place, (each) => {
        for (const cursor of tamperings(timeCursor(each))) {
          const found = read(readTimeCursor, cursor);
          if (!found) continue;
          expect(timeCursor(found)).to.equal(cursor);
          expect(found.at >= EARLIEST && found.at <= LATEST, cursor).to.equal(true);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('of an id, with any character replaced, are refused or are the cursor of the id that they read as', () => {
    fc.assert(
      fc.property(place, (each) => {
        for (const cursor of tamperings(idCursor(each))) {
          const id = read(readIdCursor, cursor);
          if (id !== undefined) expect(idCursor({ id })).to.equal(cursor);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('of one kind are refused where the other kind is expected', () => {
    fc.assert(
      fc.property(place, (each) => {
        expect(read(readIdCursor, timeCursor(each))).to.equal(undefined);
        expect(read(readTimeCursor, idCursor(each))).to.equal(undefined);
      }),
    );
  });

  it('are refused where they say what no cursor says', () => {
    const id = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';
    const times = [
      '',
      ' ',
      '-',
      '-0',
      '01',
      '+1',
      '1.5',
      '1e3',
      'NaN',
      '253402214400001',
      '-62135596800001',
      '9'.repeat(15),
    ];
    for (const time of times) expect(read(readTimeCursor, encode(`${time} ${id}`)), time).to.equal(undefined);
    for (const rest of ['', ' ', `${id} `, `${id}\n`, ` ${id}`, `${id}\0`, id.slice(1), `${id} ${id}`]) {
      expect(read(readTimeCursor, encode(`1 ${rest}`)), rest).to.equal(undefined);
      expect(read(readIdCursor, encode(rest)), rest).to.equal(undefined);
    }
  });

  it('are refused where they are any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }).map(encode), fc.base64String());
    fc.assert(
      fc.property(text, (each) => {
        expect(read(readTimeCursor, each)).to.equal(undefined);
        expect(read(readIdCursor, each)).to.equal(undefined);
      }),
      { numRuns: 150 },
    );
  });
});

describe('texts of tokens', () => {
  it('are the same after there and back, unless they have a NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decode(encode(text))).to.equal(text.includes('\0') ? undefined : text);
      }),
    );
  });

  it('are read only from the one token that is made of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (token) => {
        const text = decode(token);
        if (text !== undefined) expect(encode(text)).to.equal(token);
      }),
    );
    for (const token of ['YQ==', 'Y Q', 'YR', '+/+/', 'YQ\n', '_w']) expect(decode(token), token).to.equal(undefined);
  });
});

describe('pages', () => {
  const page = (rows: { n: number; candidates?: number }[], limit: number) =>
    toPage(
      rows,
      limit,
      ({ n }) => n,
      ({ n }) => `after ${n}`,
    );

  it('have a next one where there are more rows than they may have, and none where there are not', () => {
    const rows = [1, 2, 3].map((n) => ({ n }));
    expect(page(rows, 2)).to.deep.equal({ items: [1, 2], next: 'after 2', isCut: false });
    expect(page(rows, 3)).to.deep.equal({ items: [1, 2, 3], next: null, isCut: false });
    expect(page([], 3)).to.deep.equal({ items: [], next: null, isCut: false });
  });

  it('are cut where rows were left out because they might be too much at once', () => {
    const rows = [1, 2].map((n) => ({ n, candidates: 4 }));
    expect(page(rows, 3)).to.deep.equal({ items: [1, 2], next: 'after 2', isCut: true });
    expect(page(rows, 2)).to.deep.equal({ items: [1, 2], next: 'after 2', isCut: false });
  });

  /** Reads a list of numbers by portions of so many; the limits and cursors that were asked with, and the page. */
  async function readBy(portion: number, count: number, limit: number, bytes: number) {
    const asked: PageRequest[] = [];
    const found = await readPortions(
      { limit, cursor: undefined },
      async (rest) => {
        asked.push(rest);
        const start = rest.cursor === undefined ? 0 : Number(rest.cursor.slice('after '.length)) + 1;
        const candidates = Math.min(rest.limit + 1, count - start);
        const shown = Math.min(candidates, portion);
        return page(
          Array.from({ length: shown }, (_, i) => ({ n: start + i, candidates })),
          rest.limit,
        );
      },
      () => bytes,
    );
    return { asked, ...found };
  }

  it('have every item once and in order, however many portions they are read by', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 10 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 20 }),
        async (portion, count, limit) => {
          const { items, next } = await readBy(portion, count, limit, 1);
          const length = Math.min(limit, count);
          expect(items).to.deep.equal(Array.from({ length }, (_, i) => i));
          expect(next).to.equal(count > limit ? `after ${limit - 1}` : null);
        },
      ),
    );
  });

  it('ask each time for as many items as are missing, from where the last portion ended', async () => {
    const { asked } = await readBy(2, 100, 5, 1);
    expect(asked).to.deep.equal([
      { limit: 5, cursor: undefined },
      { limit: 3, cursor: 'after 1' },
      { limit: 1, cursor: 'after 3' },
    ]);
  });

  it('end early, with a next one, once their items are a megabyte', async () => {
    const { items, next } = await readBy(2, 100, 50, 300_000);
    expect(items).to.deep.equal([0, 1, 2, 3]);
    expect(next).to.equal('after 3');
  });

  it('end early, with a next one, after twenty queries', async () => {
    const { asked, items, next } = await readBy(1, 100, 50, 1);
    expect(asked).to.have.length(20);
    expect(items).to.have.length(20);
    expect(next).to.equal('after 19');
  });
});
