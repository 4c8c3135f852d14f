import { expect } from 'chai';
import { askingForConsent } from '../../../src/dashboard/pages/automations/consent.ts';
import { STARTERS } from '../../../src/dashboard/pages/automations/starters/index.ts';
import { withIds } from '../../../src/dashboard/pages/automations/starters/prepare.ts';
import { problemsOf, warningsOf } from '../../../src/domain/automations/check.ts';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import type { Step } from '../../../src/domain/automations/core/definition/steps.ts';
import type { Condition } from '../../../src/domain/conditions/condition.ts';
import { UNKNOWN_ID } from '../../support/samples.ts';

const SUBSCRIBED: Condition = { consent: { channel: 'email', status: 'subscribed' } };
const UNSUBSCRIBED: Condition = { consent: { channel: 'email', status: 'unsubscribed' } };
const SUPPRESSED: Condition = { consent: { channel: 'email', status: 'suppressed' } };
const NO_MORE: Condition = { any: [{ not: SUBSCRIBED }, SUPPRESSED] };
const TAGGED: Condition = { attribute: 'tag', op: 'exists' };

const emit = (event_type: string, next: string | null = null): Step => ({
  id: 'emit',
  type: 'emit_event',
  event_type,
  next,
});
const SEND: Step = {
  id: 'send',
  type: 'send_webhook',
  endpoint_id: '01a1f84a-0000-7000-8000-000000000001',
  message_type: 'cart.abandoned',
  next: null,
};
const wait = (next: string): Step => ({ id: 'hour', type: 'delay', for: 'PT1H', next });
const ask = (when: Condition, next: string | null, other: string | null = null): Step => ({
  id: 'ask',
  type: 'branch',
  cases: [{ when, next }],
  else: other,
});

function define(steps: readonly Step[], fields: Partial<Definition> = {}): Definition {
  return { name: 'Any', trigger: { type: 'manual' }, start: steps[0]?.id ?? '', steps, ...fields };
}
const warned = (definition: Definition) => warningsOf(definition).map(({ path }) => path.join('.'));
const warnedOf = (kind: 'opted out' | 'suppressed', definition: Definition) =>
  warningsOf(definition)
    .filter(({ problem }) => problem.includes(`customers who ${kind === 'opted out' ? 'have' : 'are'} ${kind}`))
    .map(({ path }) => path.join('.'));

describe('Messages without consent', () => {
  it('are those of a step that sends, and of events whose names say that a message is due', () => {
    expect(warned(define([SEND]))).to.deep.equal(['steps.0']);
    for (const type of ['cart_reminder_due', 'welcome due', 'SendNewsletter', 'push-notification', 'order.Message']) {
      expect(warned(define([emit(type)])), type).to.deep.equal(['steps.0']);
    }
    for (const type of ['cart_lost', 'residue', 'sender_known', 'first_order', '']) {
      expect(warned(define([emit(type)])), type).to.deep.equal([]);
    }
  });

  it('are not sent where the entry, the exit or a branch asks for consent', () => {
    for (const [steps, fields] of [
      [[SEND], { entry_condition: SUBSCRIBED }],
      [[SEND], { entry_condition: { all: [TAGGED, { not: UNSUBSCRIBED }] } }],
      [[wait('send'), SEND], { exit_when: UNSUBSCRIBED }],
      [[wait('send'), SEND], { exit_when: { any: [TAGGED, { not: SUBSCRIBED }] } }],
      [[wait('ask'), ask(SUBSCRIBED, 'send'), SEND], {}],
      [[wait('ask'), ask(UNSUBSCRIBED, null, 'send'), SEND], {}],
    ] as [Step[], Partial<Definition>][]) {
      expect(warnedOf('opted out', define(steps, fields)), JSON.stringify([steps, fields])).to.deep.equal([]);
    }
  });

  it('are sent where it is asked for too early, only beside something else, or the other way round', () => {
    for (const [steps, fields, place] of [
      [[wait('send'), SEND], { entry_condition: SUBSCRIBED }, 'steps.1'],
      [[ask(SUBSCRIBED, 'hour'), wait('send'), SEND], {}, 'steps.2'],
      [[SEND], { entry_condition: { any: [TAGGED, SUBSCRIBED] } }, 'steps.0'],
      [[SEND], { exit_when: { all: [TAGGED, UNSUBSCRIBED] } }, 'steps.0'],
      [[SEND], { exit_when: SUBSCRIBED }, 'steps.0'],
      [[SEND], { exit_when: { attribute: 'unsubscribed', op: 'eq', value: true } }, 'steps.0'],
      [[ask(UNSUBSCRIBED, 'send'), SEND], {}, 'steps.1'],
      [[SEND], { exit_when: SUPPRESSED }, 'steps.0'],
    ] as [Step[], Partial<Definition>, string][]) {
      expect(warnedOf('opted out', define(steps, fields)), JSON.stringify([steps, fields])).to.deep.equal([place]);
    }
  });

  it('are those to customers who are suppressed, too, as they may still be subscribed', () => {
    const waiting = [wait('send'), SEND];
    for (const [steps, fields, places] of [
      [[SEND], { entry_condition: SUBSCRIBED }, ['steps.0']],
      [waiting, { entry_condition: SUBSCRIBED, exit_when: { not: SUBSCRIBED } }, ['steps.1']],
      [waiting, { entry_condition: { not: SUPPRESSED }, exit_when: { not: SUBSCRIBED } }, ['steps.1']],
      [waiting, { entry_condition: { all: [SUBSCRIBED, { not: SUPPRESSED }] }, exit_when: UNSUBSCRIBED }, ['steps.1']],
      [waiting, { exit_when: { any: [UNSUBSCRIBED, { all: [TAGGED, SUPPRESSED] }] } }, ['steps.1']],
      [waiting, { exit_when: NO_MORE }, []],
      [[SEND], { entry_condition: { all: [SUBSCRIBED, { not: SUPPRESSED }] } }, []],
      [[SEND], { entry_condition: { all: [UNSUBSCRIBED, SUPPRESSED] }, exit_when: NO_MORE }, []],
      [[wait('ask'), ask(NO_MORE, null, 'send'), SEND], {}, []],
      [[wait('ask'), ask({ all: [SUBSCRIBED, { not: SUPPRESSED }] }, 'send'), SEND], {}, []],
    ] as [Step[], Partial<Definition>, string[]][]) {
      const definition = define(steps, fields);
      expect(warnedOf('opted out', definition), JSON.stringify([steps, fields])).to.deep.equal([]);
      expect(warnedOf('suppressed', definition), JSON.stringify([steps, fields])).to.deep.equal(places);
    }
  });

  it('are named once each, in the order of the steps', () => {
    const definition = define([SEND, { ...SEND, id: 'again' }].map((step, i) => ({ ...step, next: i ? null : 'ask' })));
    const steps = [...definition.steps, ask(SUBSCRIBED, 'again')];
    expect(
      warningsOf({ ...definition, steps }).map(({ path, problem }) => [...path, /suppressed/.test(problem)]),
    ).to.deep.equal([
      ['steps', 0, false],
      ['steps', 1, true],
    ]);
  });

  it('are found in drafts that lead in circles or nowhere', () => {
    expect(warned(define([wait('ask'), ask(TAGGED, 'hour', 'send'), { ...SEND, next: 'hour' }]))).to.deep.equal([
      'steps.2',
    ]);
    expect(warned({ ...define([SEND]), start: 'nowhere' })).to.deep.equal([]);
    expect(warned(define([], { exit_when: { any: [] } }))).to.deep.equal([]);
  });

  it('are in nothing that an automation can begin with, and in no definition that was made to ask', () => {
    for (const { title, emails, definition } of STARTERS.filter((starter) => starter.definition.steps.length > 0)) {
      const ids = Object.fromEntries(Object.keys(emails).map((step) => [step, UNKNOWN_ID]));
      const begun = withIds(definition, ids, UNKNOWN_ID) as Definition;
      expect(problemsOf(begun), title).to.deep.equal([]);
      expect(warned(begun), title).to.deep.equal([]);
    }
    for (const entry_condition of [undefined, TAGGED, { any: [TAGGED, UNSUBSCRIBED] }]) {
      const before = define([wait('send'), SEND], entry_condition && { entry_condition });
      for (const channel of ['email', 'sms'] as const) {
        const asking = askingForConsent(before as Parameters<typeof askingForConsent>[0], channel) as Definition;
        expect([...warned(asking), ...problemsOf(asking)]).to.deep.equal([]);
      }
    }
  });
});
