import { expect } from 'chai';
import fc from 'fast-check';
import type { AttributePatch } from '../../src/domain/attributes/attributes.ts';
import {
  type ImportItem,
  type PackedItems,
  packItems,
  unpackItems,
} from '../../src/domain/imports/bulk/packed-items.ts';
import type { Draft } from '../../src/domain/write/draft.ts';

const ID = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';
const NOON = '2025-03-04T12:00:00.123Z';

/** What JSON says in the same way after there and back. */
const object = fc.dictionary(fc.string(), fc.jsonValue()).map((each) => JSON.parse(JSON.stringify(each)));
const text = fc.string({ unit: 'grapheme' });
const patch: fc.Arbitrary<AttributePatch> = fc.record(
  {
    set: object,
    unset: fc.array(text),
    append: fc.dictionary(text, fc.array(fc.integer()), { noNullPrototype: true }),
  },
  { requiredKeys: [] },
);
const time = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
const event = fc.record({
  id: fc.uuid(),
  eventType: text,
  properties: object,
  source: fc.option(object),
  idempotencyKey: fc.option(text),
  occurredAt: time,
  receivedAt: time,
});
/** Items that share some of a few patches and lists of addresses. */
const items: fc.Arbitrary<ImportItem[]> = fc
  .record({
    patches: fc.array(patch, { minLength: 1, maxLength: 3 }),
    emails: fc.array(fc.array(fc.emailAddress()), { minLength: 1, maxLength: 3 }),
  })
  .chain(({ patches, emails }) => {
    const emailList = fc.constantFrom(...emails);
    const draft = fc.record<Draft, 'identifiers' | 'onIdentifierConflict'>(
      {
        identifiers: fc.record(
          { external_id: text, email: text, phone: text, anonymous_id: text },
          { requiredKeys: [] },
        ),
        onIdentifierConflict: fc.constantFrom('refuse', 'ignore'),
        profileId: fc.uuid(),
        idempotencyScope: text,
        patch: fc.constantFrom(...patches),
        addEmails: emailList,
        dropEmails: emailList,
        event,
      },
      { requiredKeys: ['identifiers', 'onIdentifierConflict'] },
    );
    return fc.array(fc.record({ path: fc.array(fc.oneof(text, fc.nat())), draft }), { maxLength: 8 });
  });

function throughJson(packed: PackedItems): PackedItems {
  return JSON.parse(JSON.stringify(packed));
}

describe('packed items of an import', () => {
  it('are the same after they were stored as JSON, in the same order, whatever they share', () => {
    fc.assert(
      fc.property(items, (each) => {
        expect(unpackItems(throughJson(packItems(each)))).to.deep.equal(each);
      }),
      { numRuns: 100 },
    );
  });

  it('have no property that is absent here, nor one that is undefined', () => {
    const draft: Draft = {
      identifiers: { email: 'ada@example.com' },
      onIdentifierConflict: 'ignore',
      patch: undefined,
      addEmails: undefined,
      event: undefined,
      idempotencyScope: undefined,
    };
    const [item] = unpackItems(throughJson(packItems([{ path: ['data', 0], draft }])));
    expect(Object.keys(item?.draft as Draft)).to.have.members(['identifiers', 'onIdentifierConflict']);
  });

  it('store once what several of them share, and share it again afterwards', () => {
    const shared = { patch: { set: { note: 'x'.repeat(100_000) } }, addEmails: ['ada@example.com'] };
    const each = Array.from({ length: 100 }, (_, i) => ({
      path: ['data', i],
      draft: { identifiers: { external_id: `${i}` }, onIdentifierConflict: 'ignore' as const, ...shared },
    }));
    const stored = packItems(each);
    expect(JSON.stringify(stored).length).to.be.below(2 * 100_000);
    const unpacked = unpackItems(throughJson(stored));
    expect(unpacked).to.deep.equal(each);
    expect(new Set(unpacked.map(({ draft }) => draft.patch)).size).to.equal(1);
  });

  it('keep apart two patches of which one is a later change of the other', () => {
    const drafts = [{ set: { a: 1 } }, { set: { a: 2 } }, { set: { a: 1 } }].map((one) => ({
      path: [],
      draft: { identifiers: {}, onIdentifierConflict: 'refuse' as const, patch: one },
    }));
    expect(unpackItems(throughJson(packItems(drafts)))).to.deep.equal(drafts);
  });

  const stored = {
    id: ID,
    eventType: 'order',
    properties: { total: 5 },
    source: null,
    idempotencyKey: 'key',
    occurredAt: NOON,
    receivedAt: NOON,
  };

  it('unpack as the first version stored them: under `taken` and `keyWithin`, and without lists of addresses', () => {
    const first = {
      patches: [{ set: { plan: 'pro' } }],
      items: [
        {
          path: ['data', 'attributes', 'events-bulk-create', 0],
          patch: 0,
          draft: { identifiers: { email: 'ada@example.com' }, taken: 'ignore', keyWithin: 'order', event: stored },
        },
        { path: ['data', 1], draft: { identifiers: { phone: '12345' }, taken: 'refuse' } },
      ],
    };
    expect(unpackItems(first as unknown as PackedItems)).to.deep.equal([
      {
        path: ['data', 'attributes', 'events-bulk-create', 0],
        draft: {
          identifiers: { email: 'ada@example.com' },
          onIdentifierConflict: 'ignore',
          idempotencyScope: 'order',
          patch: { set: { plan: 'pro' } },
          event: { ...stored, occurredAt: new Date(NOON), receivedAt: new Date(NOON) },
        },
      },
      { path: ['data', 1], draft: { identifiers: { phone: '12345' }, onIdentifierConflict: 'refuse' } },
    ]);
  });

  it('are stored so that a process of the first version reads them: under `taken` and `keyWithin`', () => {
    const draft: Draft = {
      identifiers: { email: 'ada@example.com' },
      onIdentifierConflict: 'ignore',
      idempotencyScope: 'order',
      patch: { set: { plan: 'pro' } },
    };
    const packed = throughJson(packItems([{ path: ['data', 0], draft }]));
    expect(packed.patches).to.deep.equal([{ set: { plan: 'pro' } }]);
    expect(packed.items).to.deep.equal([
      {
        path: ['data', 0],
        patch: 0,
        draft: { identifiers: { email: 'ada@example.com' }, taken: 'ignore', keyWithin: 'order' },
      },
    ]);
  });
});
