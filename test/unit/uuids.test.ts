import { expect } from 'chai';
import fc from 'fast-check';
import { formatUuid, writeUuid } from '../../src/ids/uuid-text.ts';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt, newId, timeOf } from '../../src/ids/uuid-v7.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** Does some work while the clock shows these times, one after the other, and then the last one. */
function withClock<Result>(times: number[], work: () => Result): Result {
  const { now } = Date;
  const rest = [...times];
  Date.now = () => (rest.length > 1 ? (rest.shift() as number) : (rest[0] as number));
  try {
    return work();
  } finally {
    Date.now = now;
  }
}

describe('UUIDs as text and as bytes', () => {
  it('are the same after there and back, and the same as what Node makes of the bytes', () => {
    fc.assert(
      fc.property(bytes, (each) => {
        const text = formatUuid(each);
        expect(text).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        expect(text.replaceAll('-', '')).to.equal(Buffer.from(each).toString('hex'));
        const back = new Uint8Array(16);
        writeUuid(text, back, 0);
        expect(back).to.deep.equal(each);
      }),
    );
  });

  it('are written at their place, in either case of letters, and nowhere else', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(20), (text, offset) => {
        for (const each of [text, text.toUpperCase()]) {
          const target = Buffer.alloc(40, 0xee);
          writeUuid(each, target, offset);
          const expected = Buffer.alloc(40, 0xee);
          expected.write(text.replaceAll('-', ''), offset, 'hex');
          expect(target).to.deep.equal(expected);
        }
      }),
    );
  });

  it('stay as they are when the next one is written down', () => {
    const first = formatUuid(new Uint8Array(16).fill(0x11));
    formatUuid(new Uint8Array(16).fill(0x22));
    expect(first).to.equal('11111111-1111-1111-1111-111111111111');
  });
});

describe('new ids', () => {
  it('sort as they were drawn while the clock stands still or is set back', () => {
    const start = Date.now();
    const clock = Array.from({ length: 3_000 }, (_, i) => start + (i < 1_000 ? 0 : i < 2_000 ? i : -5_000));
    const ids = withClock(clock, () => Array.from(clock, newId));
    for (const id of ids) expect(id).to.match(VERSION_7);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.toSorted()).to.deep.equal(ids);
  });

  it('sort as they were drawn however many there are of one millisecond', () => {
    const before = withClock([Date.now() + 1_000], () => {
      let last = LOWEST_ID;
      // More than the lower part of the sequence has room for, twice.
      for (let i = 0; i < 2 ** 21; i += 1) {
        const id = newId();
        if (id <= last) return { last, id };
        last = id;
      }
      return undefined;
    });
    expect(before, 'an id that does not sort after the last one').to.equal(undefined);
  });

  it('have the time of the clock, of each millisecond that it shows', () => {
    const start = Date.now() + 60_000;
    const clock = Array.from({ length: 500 }, (_, i) => start + 7 * i);
    expect(withClock(clock, () => clock.map(() => timeOf(newId())))).to.deep.equal(clock);
  });

  it('cannot be guessed from one another: the last bits of hardly any two are the same', () => {
    const ends = new Set(Array.from({ length: 5_000 }, () => newId().slice(-10)));
    expect(ends.size).to.be.above(4_990);
  });

  it('begin their sequence anew in each millisecond, so that two processes draw different ones', () => {
    const start = Date.now() + 120_000;
    const clock = Array.from({ length: 200 }, (_, i) => start + i);
    const sequences = withClock(clock, () => clock.map(() => newId().slice(15, 23)));
    expect(new Set(sequences).size).to.be.above(190);
  });

  it('lie between the lowest id of their time and that of the next millisecond', () => {
    for (let i = 0; i < 1_000; i += 1) {
      const id = newId();
      expect(lowestIdAt(new Date(timeOf(id))) <= id).to.equal(true);
      expect(lowestIdAt(new Date(timeOf(id) + 1)) > id).to.equal(true);
      expect(LOWEST_ID < id && id < HIGHEST_ID).to.equal(true);
    }
  });
});

describe('times and ids', () => {
  const time = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

  it('tell the same time after there and back', () => {
    fc.assert(
      fc.property(time, (each) => {
        const id = lowestIdAt(each);
        expect(isId(id)).to.equal(true);
        expect(timeOf(id)).to.equal(each.getTime());
      }),
    );
  });

  it('sort in the same way', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(lowestIdAt(a) < lowestIdAt(b)).to.equal(a.getTime() < b.getTime());
      }),
    );
  });

  it('have nothing but UUIDs for ids, in either case of letters', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(35), fc.constantFrom('', 'g', ' ', '0-', '\n', 'é'), (uuid, place, character) => {
        expect(isId(uuid)).to.equal(true);
        expect(isId(uuid.toUpperCase())).to.equal(true);
        expect(isId(uuid.slice(0, place) + character + uuid.slice(place + 1))).to.equal(false);
        for (const around of [`${uuid}\n`, `\n${uuid}`, `{${uuid}}`, uuid.replaceAll('-', ''), '']) {
          expect(isId(around), around).to.equal(false);
        }
      }),
    );
  });
});
