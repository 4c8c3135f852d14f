import { expect } from 'chai';
import fc from 'fast-check';
import { type AttributePatch, type Attributes, PatchedAttributes } from '../../src/domain/attributes/attributes.ts';

const values = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

function patched(old: Attributes, ...patches: AttributePatch[]): Attributes {
  const attributes = new PatchedAttributes(old);
  for (const patch of patches) attributes.apply(patch);
  return attributes.current;
}

describe('Patching attributes', () => {
  it('sets, removes and keeps attributes, and returns the old object if nothing changes', () => {
    fc.assert(
      fc.property(values, values, (old, set) => {
        const result = patched(old, { set });
        for (const [key, value] of Object.entries(set)) {
          if (value === null) expect(result).not.to.have.own.property(key);
          else expect(result[key]).to.deep.equal(value);
        }
        for (const key of Object.keys(old)) if (!Object.hasOwn(set, key)) expect(result[key]).to.equal(old[key]);
        expect(patched(result, { set })).to.equal(result);
      }),
    );
  });

  it('appends to lists and removes from them, without duplicates', () => {
    const once = patched({ list: [{ a: 1, b: 2 }] }, { append: { list: [{ b: 2, a: 1 }, 'x', 'x'], new: [1] } });
    expect(once).to.deep.equal({ list: [{ a: 1, b: 2 }, 'x'], new: [1] });
    const less = patched(once, { unappend: { list: ['x'], new: [1], none: [1] } });
    expect(less).to.deep.equal({ list: [{ a: 1, b: 2 }], new: [] });
  });

  it('converts a single value to a list', () => {
    expect(patched({ tag: 'a' }, { append: { tag: ['b'] } })).to.deep.equal({ tag: ['a', 'b'] });
    expect(patched({ tag: 'a' }, { unappend: { tag: ['a'] } })).to.deep.equal({ tag: [] });
  });

  it('merges objects one level deeper, and removes one that becomes empty', () => {
    const old = { location: { city: 'London', zip: 'W1' } };
    const merged = patched(old, { merge: { location: { city: null, country: 'UK' } } });
    expect(merged).to.deep.equal({ location: { zip: 'W1', country: 'UK' } });
    expect(patched(merged, { merge: { location: { zip: null, country: null } } })).to.deep.equal({});
    const none = {};
    expect(patched(none, { merge: { location: { zip: null } } })).to.equal(none);
  });

  it('refuses more than 400 attributes, lists of more than 4,000 values, and more than 5 MB', () => {
    const many = Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`a${i}`, i]));
    expect(() => patched({}, { set: many })).to.throw('more than 400 attributes');
    const list = Array.from({ length: 4_001 }, (_, i) => i);
    expect(() => patched({}, { append: { list } })).to.throw('more than 4000 values');
    const numbers = Array.from({ length: 20_000 }, () => 1e300);
    expect(() => patched({}, { set: { numbers } })).to.throw('attributes would end up with more than 5 MB');
  });

  it('lets attributes that were too large shrink, but not grow', () => {
    const numbers = Array.from({ length: 20_000 }, () => 1e300);
    const old = { numbers, a: 'long' };
    expect(() => patched(old, { set: { a: 'longer' } })).to.throw('more than 5 MB');
    expect(patched(old, { set: { a: 'less' } })).to.include({ a: 'less' });
  });

  /** Few names and values, so that patches meet. */
  const name = fc.constantFrom('a', 'b', 'c');
  const value = fc.oneof(fc.constantFrom(1, 'x', true), fc.constant([1, 'x', 1]), fc.constant({ a: 1, b: [2] }));
  const lists = fc.dictionary(name, fc.array(value, { maxLength: 3 }), { noNullPrototype: true });
  const objects = fc.dictionary(name, fc.oneof(value, fc.constant(null)), { noNullPrototype: true });
  const patch = fc.record(
    {
      set: objects,
      merge: fc.dictionary(name, objects, { noNullPrototype: true }),
      append: lists,
      unappend: lists,
      unset: fc.array(name, { maxLength: 1 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('has the same result patch by patch as in one batch', () => {
    fc.assert(
      fc.property(objects, fc.array(patch, { maxLength: 6 }), (old, patches) => {
        let expected: Attributes = old;
        for (const each of patches) expected = patched(structuredClone(expected), each);
        expect(patched(old, ...patches)).to.deep.equal(expected);
      }),
    );
  });

  it('reverts a refused patch completely', () => {
    const tooLong = { append: { z: Array.from({ length: 4_001 }, (_, i) => i) } };
    fc.assert(
      fc.property(objects, patch, patch, (old, first, second) => {
        const attributes = new PatchedAttributes(old);
        attributes.apply(first);
        const before = attributes.current;
        for (let i = 0; i < 2; i += 1) {
          const refused = { ...second, append: { ...second.append, ...tooLong.append } };
          expect(() => attributes.apply(refused)).to.throw('more than 4000 values');
          expect(() => attributes.apply(refused)).to.throw('more than 4000 values');
        }
        expect(attributes.current).to.equal(before);
        attributes.apply(second);
        expect(attributes.current).to.deep.equal(patched(structuredClone(before), second));
      }),
    );
  });

  it('costs as much as the patch, not the attributes', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => i);
    const places = Object.fromEntries(list.map((i) => [`p${i}`, i]));
    const tags = list.slice(0, 3_990);
    const attributes = new PatchedAttributes({ list, places, tags });
    const start = process.cpuUsage();
    for (let i = 0; i < 5_000; i += 1) {
      attributes.apply({ unappend: { list: [i] }, merge: { places: { [`p${i}`]: i + 1 } } });
      attributes.apply({ append: { tags: [i] }, unappend: { tags: [i] } });
    }
    const { user } = process.cpuUsage(start);
    expect(attributes.current.list).to.have.length(95_000);
    // It takes 0.1 s; with a copy each time, 30 s.
    expect(user / 1e6).to.be.below(3);
  });
});
