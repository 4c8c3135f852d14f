import { expect } from 'chai';
import { warningsOf } from '../../../src/domain/automations/check.ts';
import { checkDefinition } from '../../../src/domain/automations/core/check/check-definition.ts';
import type { MessageResult } from '../../../src/domain/automations/core/machine/input.ts';
import { simulate } from '../../../src/domain/automations/core/simulation/simulate.ts';
import { fieldOf } from '../../../src/domain/service-error.ts';
import { iso } from '../../../src/domain/time/local.ts';
import { automation, chain, delay, email, mark, message, nightly } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const TEMPLATE = '01a1f852-c410-7e05-8b27-3d6fa91c5e42';
const SENDER = '01a1f852-d730-7a18-9f4c-52b0e8d7a631';
const sent = (shop: Shop) => shop.effects.flatMap((effect) => (effect.type === 'send_email' ? [effect] : []));

describe('an e-mail', () => {
  it('is queued with its data and the whole event, and the run goes on', () => {
    const more = {
      sender_id: SENDER,
      data: { total: { from: 'event.properties.value' } },
      expires_after: 'PT12H',
    } as const;
    const shop = new Shop(automation({ steps: chain(delay('hour', 'PT1H'), email('remind', more)) }));
    const { id } = shop.record('started', { value: 25, note: 'x' });
    shop.pass('PT1H');
    const at = START + 3_600_000;
    const [run] = [...shop.runs.values()];
    expect(sent(shop)).to.deep.equal([
      {
        type: 'send_email',
        runId: run?.id,
        seq: 3,
        stepId: 'remind',
        templateId: TEMPLATE,
        templateVersion: 3,
        senderId: SENDER,
        context: {
          data: { total: 25 },
          event: { id, event_type: 'started', properties: { value: 25, note: 'x' }, occurred_at: iso(START) },
        },
        expiresAt: at + 12 * 3_600_000,
        at,
      },
    ]);
    expect(run?.reason).to.equal('completed');
    expect(shop.timeline.find(({ outcome }) => outcome === 'message_queued')).to.deep.include({
      templateId: TEMPLATE,
      templateVersion: 3,
      senderId: SENDER,
    });
  });

  it('has no event where none triggered the run', () => {
    const trigger = { type: 'profile_change', attribute: 'tier' } as const;
    const shop = new Shop(automation({ trigger, steps: chain(email('hello')) }));
    shop.set({ tier: 'gold' });
    expect(sent(shop).map(({ context, senderId, expiresAt }) => ({ context, senderId, expiresAt }))).to.deep.equal([
      { context: { data: {}, event: null }, senderId: null, expiresAt: null },
    ]);
  });

  it('waits until quiet hours are over, or is left out', () => {
    for (const [rule, times] of [
      ['wait', ['2026-03-03T08:00:00.000Z']],
      ['skip', []],
    ] as const) {
      const steps = chain(email('night'), mark('after'));
      const shop = new Shop(automation({ steps, quiet_hours: nightly(rule) }));
      shop.now = START + 12 * 3_600_000;
      shop.record('started');
      shop.pass('P1D');
      expect(sent(shop).map(({ at }) => iso(at))).to.deep.equal(times);
      expect(shop.attributes()).to.deep.equal({ after: true });
    }
  });

  it('is not sent once an exit condition holds', () => {
    const exit_when = { attribute: 'tier', op: 'eq', value: 'gold' } as const;
    const shop = new Shop(automation({ steps: chain(delay('hour', 'PT1H'), email('late')), exit_when }));
    shop.record('started');
    shop.set({ tier: 'gold' });
    shop.pass('PT1H');
    expect(sent(shop)).to.deep.equal([]);
    expect(shop.reasons()).to.deep.equal(['exit_condition']);
  });
});

describe('an e-mail of which the run waits for what becomes', () => {
  const start = (on_failure: 'continue' | 'exit' = 'continue') => {
    const shop = new Shop(automation({ steps: chain(email('m', { await: 'sent', on_failure }), mark('on')) }));
    shop.record('started');
    const { runId, seq } = sent(shop)[0] as ReturnType<typeof sent>[number];
    const tell = (result: MessageResult, reason: string | null = null, number = seq) => {
      const reaction = shop.tellRun({ type: 'message', runId, seq: number, result, reason });
      shop.settle();
      return reaction;
    };
    return { shop, tell };
  };

  it('goes on when it is sent, not before', () => {
    const { shop, tell } = start('exit');
    shop.pass('P10D');
    expect(shop.attributes()).to.deep.equal({});
    tell('sent');
    expect(shop.attributes()).to.deep.equal({ on: true });
  });

  it('goes on, and says why, when the customer is skipped, or nobody knows whether it was sent', () => {
    for (const [result, reason, said] of [
      ['skipped', 'unsubscribed', { outcome: 'message_skipped', code: 'unsubscribed', next: 'on' }],
      ['unknown', 'undecided', { outcome: 'message_unknown', next: 'on' }],
    ] as const) {
      const { shop, tell } = start('exit');
      expect(tell(result, reason).timeline[0]).to.deep.include(said);
      expect(shop.attributes()).to.deep.equal({ on: true });
    }
  });

  it('goes on, or ends, when it has failed, was too late or was cancelled', () => {
    for (const result of ['failed', 'expired', 'cancelled'] as const) {
      const [goesOn, ends] = [start('continue'), start('exit')];
      expect(goesOn.tell(result).timeline[0]).to.deep.include({ outcome: 'message_failed', result, next: 'on' });
      expect(ends.tell(result, 'no_mailbox').timeline[0]).to.deep.include({ code: 'no_mailbox', next: null });
      expect(goesOn.shop.attributes()).to.deep.equal({ on: true });
      expect(ends.shop.attributes()).to.deep.equal({});
      expect(ends.shop.reasons()).to.deep.equal(['message_failed']);
    }
  });

  it('heeds the result of no other message, and none twice', () => {
    const { shop, tell } = start();
    expect(tell('sent', null, 1).timeline).to.deep.equal([]);
    const [run] = [...shop.runs.values()];
    expect(shop.tellRun({ type: 'delivery', runId: run?.id ?? '', seq: 2, result: 'failed' }).timeline).to.deep.equal(
      [],
    );
    tell('sent');
    expect(tell('failed').timeline).to.deep.equal([]);
  });
});

describe('the simulation of an e-mail', () => {
  const profile = { id: 'ada', identifiers: { email: 'ada@example.com' }, attributes: {} };
  const event = {
    id: 'e',
    eventType: 'started',
    properties: {},
    occurredAt: START,
    receivedAt: START,
    backfill: false,
    depth: 0,
  };
  const steps = chain(email('first'), email('second', { await: 'sent' }), mark('on'));

  it('asks for consent at its time, and the run is told when it is skipped', () => {
    const { effects, timeline, run } = simulate(
      automation({
        steps: chain(email('first'), delay('hour', 'PT1H'), email('second', { await: 'sent' }), mark('on')),
      }),
      { type: 'event', event, runId: 'run' },
      {
        profile,
        assume: [{ after: 'PT30M', consent: { channel: 'email', status: 'unsubscribed' } }],
        reasonToSkip: (_, { email }) => (email?.status === 'unsubscribed' ? 'unsubscribed' : undefined),
      },
    );
    expect(effects.map(({ skipped }) => skipped)).to.deep.equal([undefined, 'unsubscribed', undefined]);
    expect(timeline.find(({ outcome }) => outcome === 'message_skipped')).to.deep.include({ code: 'unsubscribed' });
    expect(run?.reason).to.equal('completed');
  });

  it('takes for granted that it is sent, unless something else is assumed', () => {
    const outcomes = (delivery?: 'expired') =>
      simulate(
        automation({ steps }),
        { type: 'event', event, runId: 'run' },
        { profile, assume: delivery ? [{ step: 'second', delivery }] : [] },
      ).timeline.map(({ outcome }) => outcome);
    expect(outcomes()).to.include('message_sent');
    expect(outcomes('expired')).to.include('message_failed');
  });
});

describe('the step send_email', () => {
  const fields = (step: Record<string, unknown>) =>
    checkDefinition(automation({ steps: chain(step) })).map(({ path }) => fieldOf(path));

  it('is refused where its ids or its duration are none', () => {
    expect(fields(email('m', { template_id: '' }))).to.deep.equal(['steps[0].template_id']);
    expect(fields(email('m', { sender_id: 'outbox' }))).to.deep.equal(['steps[0].sender_id']);
    expect(fields(email('m', { expires_after: 'soon' }))).to.deep.equal(['steps[0].expires_after']);
    expect(fields(email('m', { data: { a: { from: 'event.nothing' } } }))).to.deep.equal(['steps[0].data.a.from']);
    expect(fields(email('m', { sender_id: SENDER, data: { a: { from: 'run.key' } } }))).to.deep.equal([]);
  });

  it('needs no question for consent; what follows one that is waited for does', () => {
    const warned = (...steps: Record<string, unknown>[]) =>
      warningsOf(
        automation({
          steps: chain(...steps),
          entry_condition: { all: [SUBSCRIBED, { not: { consent: { channel: 'email', status: 'suppressed' } } }] },
        }),
      ).map(({ path }) => fieldOf(path));
    expect(warned(email('m'))).to.deep.equal([]);
    expect(warned(email('m'), message('n'))).to.deep.equal([]);
    expect(warned(email('m', { await: 'sent' }), message('n'))).to.deep.equal(['steps[1]']);
  });
});

const SUBSCRIBED = { consent: { channel: 'email', status: 'subscribed' } } as const;
