import { expect } from 'chai';
import fc from 'fast-check';
import { audiencesNamed } from '../../../src/domain/automations/core/definition/audiences.ts';
import type { Condition } from '../../../src/domain/conditions/condition.ts';
import { evaluate } from '../../../src/domain/conditions/evaluate.ts';
import type { MissingFacts } from '../../../src/domain/conditions/facts-needed.ts';
import { audienceKey, type Standing } from '../../../src/domain/conditions/standing.ts';
import { isMember } from '../../../src/domain/segments/core/naive.ts';
import { conditionOnStanding, standings } from './support/arbitraries.ts';
import { automation, chain, mark } from './support/definitions.ts';
import { type KnownStanding, simulateWith, VIPS, WINTER } from './support/standing.ts';

const known = ({ memberships, consents }: KnownStanding): Standing => ({
  memberSince: (audience) => memberships.get(audienceKey(audience)) ?? null,
  consents: () => consents,
});

describe('conditions on lists, segments and consent', () => {
  it('hold where segments of the same words would have the customer', () => {
    fc.assert(
      fc.property(conditionOnStanding, standings, (condition, standing) => {
        const ids = (kind: string) =>
          new Map(
            [...standing.memberships.keys()].flatMap((key) =>
              key.startsWith(kind) ? [[key.split(' ')[1], 1]] : [],
            ) as [string, number][],
          );
        const profile = {
          ...{ id: '', attributes: {}, identifiers: {}, createdAt: 0, events: [] },
          ...{
            consents: standing.consents,
            lists: ids('list'),
            segments: ids('segment'),
          },
        };
        const { holds } = evaluate(condition, { standing: known(standing as KnownStanding) });
        expect(holds).to.equal(isMember(condition, profile, 0));
        expect(evaluate({ not: condition }, { standing: known(standing as KnownStanding) }).holds).to.equal(!holds);
      }),
    );
  });

  it('ask for all that could decide at once, and for nothing where an earlier part decides', () => {
    const nothing: Standing = { memberSince: () => undefined, consents: () => undefined };
    const condition: Condition = {
      any: [{ list: VIPS.toUpperCase() }, { segment: WINTER }, { consent: { channel: 'sms', status: 'never' } }],
    };
    try {
      evaluate(condition, { standing: nothing });
      expect.fail('It was decided');
    } catch (error) {
      expect((error as MissingFacts).needs).to.deep.equal([
        { type: 'membership', audience: { kind: 'list', id: VIPS } },
        { type: 'membership', audience: { kind: 'segment', id: WINTER } },
        { type: 'consents' },
      ]);
    }
    const decided = { all: [{ property: 'p', op: 'exists' }, condition] } as Condition;
    expect(evaluate(decided, { properties: {}, standing: nothing }).holds).to.equal(false);
  });

  it('say what was there', () => {
    const standing = known({
      memberships: new Map([[`list ${VIPS}`, 1]]),
      consents: { email: { status: 'subscribed', suppressed: true } },
    });
    const saw = (condition: Condition) => evaluate(condition, { standing }).leaf?.saw;
    expect(saw({ list: VIPS })).to.equal(true);
    expect(saw({ segment: WINTER })).to.equal(false);
    expect(saw({ consent: { channel: 'email', status: 'suppressed' } })).to.equal('suppressed');
    expect(saw({ consent: { channel: 'email', status: 'unsubscribed' } })).to.equal('subscribed');
    expect(saw({ consent: { channel: 'sms', status: 'suppressed' } })).to.equal('never');
  });

  it('are found with their places, whatever the case of an id', () => {
    const definition = automation({
      entry_condition: { all: [{ not: { list: VIPS.toUpperCase() } }, { segment: WINTER }] },
      steps: chain({ id: 'w', type: 'wait', for: [{ when: { list: VIPS }, next: null }], timeout: 'P1D' }),
    });
    expect(audiencesNamed(definition)).to.have.deep.members([
      { kind: 'list', id: VIPS, path: ['entry_condition', 'all', 0, 'not', 'list'] },
      { kind: 'segment', id: WINTER, path: ['entry_condition', 'all', 1, 'segment'] },
      { kind: 'list', id: VIPS, path: ['steps', 0, 'for', 0, 'when', 'list'] },
    ]);
  });
});

describe('a simulation of lists, segments and consent', () => {
  const step = {
    ...{ id: 'w', type: 'wait', timeout: 'P1D', on_timeout: null },
    for: [{ when: { list: VIPS }, next: 'done' }],
  };
  const definition = automation({
    entry_condition: { not: { consent: { channel: 'email', status: 'unsubscribed' } } },
    exit_when: { segment: WINTER },
    steps: chain(step, mark('done')),
  });

  it('goes on as soon as the customer is in a list', () => {
    const { run } = simulateWith(definition, [{ after: 'PT2H', list: VIPS, member: true }]);
    expect(run).to.include({ reason: 'completed' });
  });

  it('takes what is assumed without a time for granted from the beginning', () => {
    const consent = { channel: 'email', status: 'unsubscribed' } as const;
    expect(simulateWith(definition, [{ consent }]).entry).to.deep.include({
      entered: false,
      reason: 'entry_condition',
    });
    const { run } = simulateWith(definition, [
      { segment: WINTER, member: true },
      { list: VIPS, member: true },
    ]);
    expect(run).to.include({ reason: 'exit_condition' });
  });
});
