import { expect } from 'chai';
import fc from 'fast-check';
import { IDENTIFIER_KINDS, type Identifiers } from '../../src/domain/identifiers.ts';
import type { Draft } from '../../src/domain/write/draft.ts';
import {
  assignClaims,
  claimableIdentifiers,
  givenIdentifiers,
  type Owners,
  ownerKey,
  resolveIdentity,
} from '../../src/domain/write/identity-resolution.ts';
import { isId } from '../../src/ids/uuid-v7.ts';

/** Few values, so that drafts meet one another and those who own something. */
const value = fc.constantFrom('a', 'b', 'c');
const profile = fc.constantFrom('profile 1', 'profile 2', 'profile 3');
const identifiers: fc.Arbitrary<Identifiers> = fc.record(
  { external_id: value, email: value, phone: value, anonymous_id: value },
  { requiredKeys: [] },
);
const draft: fc.Arbitrary<Draft> = fc.record(
  {
    identifiers,
    onIdentifierConflict: fc.constantFrom('refuse', 'ignore'),
    addEmails: fc.array(value, { maxLength: 3 }),
    profileId: fc.oneof(profile, fc.constant('nobody')),
  },
  { requiredKeys: ['identifiers', 'onIdentifierConflict'] },
);
/** Some identifiers are owned; every profile is found by its id. */
const owners: fc.Arbitrary<Owners> = fc
  .array(fc.tuple(fc.constantFrom(...IDENTIFIER_KINDS), value, profile))
  .map((entries) => {
    const found: Owners = new Map(['profile 1', 'profile 2', 'profile 3'].map((id) => [ownerKey('id', id), id]));
    for (const [kind, each, id] of entries) found.set(ownerKey(kind, each), id);
    return found;
  });

describe('the resolution of identities', () => {
  it('takes the profile of the first identifier that has an owner: external_id, email, phone, anonymous_id', () => {
    const all = { anonymous_id: 'n', phone: 'p', email: 'e', external_id: 'x' };
    const order = ['external_id:x', 'email:e', 'phone:p', 'anonymous_id:n'];
    order.forEach((_, i) => {
      const known = new Map(order.slice(i).map((key) => [key, `owner of ${key}`]));
      const { profileId, created } = resolveIdentity({ identifiers: all, onIdentifierConflict: 'ignore' }, known);
      expect({ profileId, created }).to.deep.equal({ profileId: `owner of ${order[i]}`, created: false });
    });
  });

  it('does not let an e-mail address that is only added decide', () => {
    const { profileId, created, claimed } = resolveIdentity(
      { identifiers: { phone: 'p' }, addEmails: ['e', 'f'], onIdentifierConflict: 'ignore' },
      new Map([['email:e', 'profile 1']]),
    );
    expect(created).to.equal(true);
    expect(profileId).not.to.equal('profile 1');
    expect(claimed).to.deep.equal([
      ['phone', 'p'],
      ['email', 'f'],
    ]);
  });

  it('tells identifiers of two kinds apart that have the same value', () => {
    const { created } = resolveIdentity(
      { identifiers: { external_id: 'a' }, onIdentifierConflict: 'ignore' },
      new Map([['email:a', 'profile 1']]),
    );
    expect(created).to.equal(true);
  });

  it('draws a new id for each profile that is new', () => {
    const ids = Array.from(
      { length: 100 },
      () => resolveIdentity({ identifiers: { phone: 'p' }, onIdentifierConflict: 'refuse' }, new Map()).profileId,
    );
    expect(new Set(ids).size).to.equal(100);
    expect(ids.every(isId)).to.equal(true);
  });

  it('takes the id that a draft gives before all identifiers, and refuses one of nobody', () => {
    fc.assert(
      fc.property(draft, owners, (one, known) => {
        fc.pre(one.profileId !== undefined);
        const { profileId, created, claimed, refusal } = resolveIdentity(one, known);
        if (one.profileId !== 'nobody') {
          expect({ profileId, created }).to.deep.equal({ profileId: one.profileId, created: false });
          return;
        }
        expect(refusal).to.deep.equal({ path: ['id'], problem: 'is not the id of a profile' });
        expect(claimed).to.deep.equal([]);
      }),
    );
  });

  it('claims exactly what nobody owns, and changes no owner by looking', () => {
    fc.assert(
      fc.property(draft, owners, (one, known) => {
        const before = new Map(known);
        const { claimed, refusal } = resolveIdentity(one, known);
        expect(known).to.deep.equal(before);
        const free = claimableIdentifiers(one).filter(([kind, each]) => !known.has(ownerKey(kind, each)));
        expect(claimed).to.deep.equal(refusal ? [] : free);
      }),
    );
  });

  it("refuses a draft that minds an identifier of another profile, by the first one's kind, and no other draft", () => {
    fc.assert(
      fc.property(draft, owners, (one, known) => {
        fc.pre(one.profileId !== 'nobody');
        const { profileId, refusal } = resolveIdentity(one, known);
        const others = claimableIdentifiers(one).filter(
          ([kind, each]) => (known.get(ownerKey(kind, each)) ?? profileId) !== profileId,
        );
        const [first] = one.onIdentifierConflict === 'refuse' ? others : [];
        expect(refusal).to.deep.equal(
          first && { path: ['identifiers', first[0]], problem: 'belongs to another profile' },
        );
      }),
    );
  });

  it('never takes an identifier from its owner, whatever a batch of drafts claims', () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 8 }), owners, (drafts, known) => {
        for (const one of drafts) {
          const before = new Map(known);
          assignClaims(resolveIdentity(one, known), known);
          for (const [key, owner] of before) expect(known.get(key)).to.equal(owner);
        }
      }),
    );
  });

  it('has later drafts of a batch find the profile that an earlier one created, by whatever it claimed', () => {
    fc.assert(
      fc.property(identifiers, owners, (given, known) => {
        const first = resolveIdentity({ identifiers: given, onIdentifierConflict: 'ignore' }, known);
        assignClaims(first, known);
        for (const [kind, each] of first.claimed) {
          const later = resolveIdentity({ identifiers: { [kind]: each }, onIdentifierConflict: 'refuse' }, known);
          expect(later).to.deep.equal({
            profileId: first.profileId,
            created: false,
            claimed: [],
            foreign: [],
            refusal: undefined,
          });
        }
      }),
    );
  });

  it('comes to the same when a batch is resolved again after its claims: nothing is new, and nothing is claimed', () => {
    fc.assert(
      fc.property(identifiers, owners, (given, known) => {
        fc.pre(givenIdentifiers(given).length > 0);
        const one: Draft = { identifiers: given, onIdentifierConflict: 'ignore' };
        const { profileId, foreign } = assigned(one, known);
        expect(assigned(one, known)).to.deep.equal({
          profileId,
          created: false,
          claimed: [],
          foreign,
          refusal: undefined,
        });
      }),
    );
  });

  it('says which identifiers stay with another profile', () => {
    fc.assert(
      fc.property(draft, owners, (one, known) => {
        const { profileId, foreign } = resolveIdentity(one, known);
        const others = claimableIdentifiers(one).filter(
          ([kind, each]) => (known.get(ownerKey(kind, each)) ?? profileId) !== profileId,
        );
        expect(foreign).to.deep.equal(others);
      }),
    );
  });

  it('lets the external_id of an untrusted draft decide, else its first other identifier, and gives neither away', () => {
    fc.assert(
      fc.property(identifiers, owners, (given, known) => {
        const all = givenIdentifiers(given);
        fc.pre(all.length > 0);
        const one: Draft = { identifiers: given, onIdentifierConflict: 'ignore', isUntrusted: true };
        const { profileId, created, claimed } = resolveIdentity(one, known);
        const others = all.filter(([kind]) => kind !== 'external_id');
        const deciding = [...all.filter(([kind]) => kind === 'external_id'), ...others.slice(0, 1)];
        const owner = deciding.map((pair) => known.get(ownerKey(...pair))).find((id) => id !== undefined);
        expect(created).to.equal(owner === undefined);
        if (owner !== undefined) expect({ profileId, claimed }).to.deep.equal({ profileId: owner, claimed: [] });
        else expect(claimed).to.deep.equal(others.filter((pair) => !known.has(ownerKey(...pair))));
      }),
    );
  });

  function assigned(one: Draft, known: Owners) {
    const resolution = resolveIdentity(one, known);
    assignClaims(resolution, known);
    return resolution;
  }
});
