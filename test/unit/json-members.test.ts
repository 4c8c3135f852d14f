import { expect } from 'chai';
import fc from 'fast-check';
import { findMembers, membersWithout, valueAt } from '../../src/compat/document/json-members.ts';

const NAMES = ['value', '$value', '$event_id'];
/** Names that are looked for, others that contain them, and others that contain what JSON is made of. */
const names = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.constantFrom('"value"', 'value\\', '{"value":1}', ','),
  fc.string(),
);
const objects = fc.dictionary(names, fc.oneof(fc.jsonValue({ maxDepth: 4 }), names), { maxKeys: 8 });
const layouts = fc.constantFrom(
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, null, 2),
);

describe('Members of the JSON text of an object', () => {
  it('are found where they are, whatever else it holds', () => {
    fc.assert(
      fc.property(objects, layouts, (object, layout) => {
        const text = layout(object);
        const found = findMembers(text, NAMES);
        expect([...found.keys()]).to.have.members(NAMES.filter((name) => Object.hasOwn(object, name)));
        for (const [name, span] of found) {
          expect(JSON.stringify(JSON.parse(valueAt(text, span)))).to.equal(JSON.stringify(object[name]));
        }
      }),
    );
  });

  it('are left out without a change to the others', () => {
    fc.assert(
      fc.property(objects, layouts, (object, layout) => {
        const text = layout(object);
        const rest = membersWithout(text, [...findMembers(text, NAMES).values()]);
        const others = Object.entries(object).filter(([name]) => !NAMES.includes(name));
        expect(JSON.stringify(JSON.parse(`{${rest}}`))).to.equal(JSON.stringify(Object.fromEntries(others)));
      }),
    );
  });

  it('are found in time that grows with the text, not faster', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(1_000_000), b: '\\'.repeat(2_000_001), value: 1 });
    expect(findMembers(text, ['value'])).to.have.property('size', 1);
  });
});
