import { expect } from 'chai';
import fc from 'fast-check';
import { patchAttributes } from '../../src/domain/attributes.ts';

const values = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

describe('patching attributes', () => {
  it('sets, removes and keeps, and returns the old object where nothing changes', () => {
    fc.assert(
      fc.property(values, values, (old, set) => {
        const patched = patchAttributes(old, { set });
        for (const [key, value] of Object.entries(set)) {
          if (value === null) expect(patched).not.to.have.own.property(key);
          else expect(patched[key]).to.deep.equal(value);
        }
        for (const key of Object.keys(old)) if (!Object.hasOwn(set, key)) expect(patched[key]).to.equal(old[key]);
        expect(patchAttributes(patched, { set })).to.equal(patched);
      }),
    );
  });

  it('appends each value once, whatever the order of its names, and takes values away again', () => {
    const once = patchAttributes(
      { list: [{ a: 1, b: 2 }] },
      { append: { list: [{ b: 2, a: 1 }, 'x', 'x'], new: [1] } },
    );
    expect(once).to.deep.equal({ list: [{ a: 1, b: 2 }, 'x'], new: [1] });
    const less = patchAttributes(once, { unappend: { list: ['x'], new: [1], none: [1] } });
    expect(less).to.deep.equal({ list: [{ a: 1, b: 2 }], new: [] });
  });

  it('makes a list of a value that is none', () => {
    expect(patchAttributes({ tag: 'a' }, { append: { tag: ['b'] } })).to.deep.equal({ tag: ['a', 'b'] });
    expect(patchAttributes({ tag: 'a' }, { unappend: { tag: ['a'] } })).to.deep.equal({ tag: [] });
  });

  it('merges objects one level deeper, and removes one that ends up empty', () => {
    const old = { location: { city: 'London', zip: 'W1' } };
    const merged = patchAttributes(old, { merge: { location: { city: null, country: 'UK' } } });
    expect(merged).to.deep.equal({ location: { zip: 'W1', country: 'UK' } });
    expect(patchAttributes(merged, { merge: { location: { zip: null, country: null } } })).to.deep.equal({});
  });

  it('refuses more than 400 attributes, and lists of more than 4,000 values', () => {
    const many = Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`a${i}`, i]));
    expect(() => patchAttributes({}, { set: many })).to.throw('more than 400 attributes');
    const list = Array.from({ length: 4_001 }, (_, i) => i);
    expect(() => patchAttributes({}, { append: { list } })).to.throw('more than 4000 values');
  });
});
