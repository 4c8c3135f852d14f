import { expect } from 'chai';
import { writeUuid } from '../../src/ids/uuid-text.ts';
import { lowestIdAt, newId, timeOf } from '../../src/ids/uuid-v7.ts';

describe('Ids', () => {
  it('are unique UUIDs of version 7 that sort in the order in which they were drawn', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).to.equal(ids.length);
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('contain the time at which they were drawn', () => {
    const before = Date.now();
    const id = newId();
    expect(timeOf(id)).to.be.within(before, Date.now());
    expect(lowestIdAt(new Date(timeOf(id))) <= id).to.equal(true);
    expect(lowestIdAt(new Date(timeOf(id) + 1)) > id).to.equal(true);
  });

  it('have the same bytes in upper and lower case', () => {
    for (const id of ['00010203-0405-7607-8809-0a0b0c0d0e0f', 'fedcba98-7654-7210-bfed-cba987654321']) {
      const expected = Buffer.from(id.replaceAll('-', ''), 'hex');
      for (const text of [id, id.toUpperCase()]) {
        const bytes = Buffer.alloc(18);
        writeUuid(text, bytes, 1);
        expect(bytes).to.deep.equal(Buffer.concat([Buffer.alloc(1), expected, Buffer.alloc(1)]));
      }
    }
  });
});
