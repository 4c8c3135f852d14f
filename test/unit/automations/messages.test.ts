import { expect } from 'chai';
import { iso } from '../../../src/domain/time/local.ts';
import { automation, chain, delay, mark, message, nightly } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const sent = (shop: Shop) => shop.effects.flatMap((effect) => (effect.type === 'send_webhook' ? [effect] : []));

describe('a message', () => {
  it('is sent with its data, and what is to be included, as it is then', () => {
    const steps = chain(
      delay('hour', 'PT1H'),
      message('cart.abandoned', {
        data: { total: { from: 'event.properties.value' } },
        include: ['profile', 'event'],
        expires_after: 'PT12H',
      }),
    );
    const shop = new Shop(automation({ steps }));
    const { id } = shop.record('started', { value: 25, note: 'x' });
    shop.set({ tier: 'gold' });
    shop.pass('PT1H');
    const at = START + 3_600_000;
    const [run] = [...shop.runs.values()];
    expect(sent(shop)).to.deep.equal([
      {
        type: 'send_webhook',
        runId: run?.id,
        seq: 3,
        stepId: 'cart.abandoned',
        endpointId: '01a1f84a-0000-7000-8000-000000000001',
        messageType: 'cart.abandoned',
        data: { total: 25 },
        profile: { id: 'ada', identifiers: { email: 'ada@example.com' }, attributes: { tier: 'gold' } },
        event: { id, eventType: 'started', occurredAt: START, properties: { value: 25, note: 'x' } },
        expiresAt: at + 12 * 3_600_000,
        at,
      },
    ]);
    expect(run?.reason).to.equal('completed');
  });
});

describe('a message whose result the run waits for', () => {
  const start = (on_failure: 'continue' | 'exit' = 'continue') => {
    const shop = new Shop(automation({ steps: chain(message('m', { await: true, on_failure }), mark('sent')) }));
    shop.record('started');
    const { runId, seq } = sent(shop)[0] as ReturnType<typeof sent>[number];
    return {
      shop,
      tell: (result: 'delivered' | 'failed' | 'expired', number = seq) =>
        shop.tellRun({ type: 'delivery', runId, seq: number, result }),
    };
  };

  it('goes on when it is delivered, not before', () => {
    const { shop, tell } = start();
    shop.pass('P10D');
    expect(shop.attributes()).to.deep.equal({});
    tell('delivered');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ sent: true });
  });

  it('goes on, or ends, when it has failed', () => {
    const [goesOn, ends] = [start('continue'), start('exit')];
    for (const { shop, tell } of [goesOn, ends]) {
      tell('expired');
      shop.settle();
    }
    expect(goesOn.shop.attributes()).to.deep.equal({ sent: true });
    expect(ends.shop.attributes()).to.deep.equal({});
    expect(ends.shop.reasons()).to.deep.equal(['delivery_failed']);
  });

  it('heeds the result of no other message, and none twice', () => {
    const { shop, tell } = start();
    expect(tell('delivered', 1).timeline).to.deep.equal([]);
    tell('delivered');
    expect(tell('failed').timeline).to.deep.equal([]);
    expect(shop.active().map(({ stepId }) => stepId)).to.deep.equal(['sent']);
  });

  it('heeds its result also after it has moved to another version', () => {
    const { shop, tell } = start();
    shop.publish(automation({ steps: chain(message('m', { await: true }), mark('other')) }), 'move');
    shop.record('started');
    tell('delivered');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ other: true });
  });
});

describe('quiet hours', () => {
  const nightShop = (rule: 'wait' | 'skip', more = {}) => {
    const steps = chain(mark('before'), message('m'), mark('after'));
    const shop = new Shop(automation({ steps, quiet_hours: nightly(rule), ...more }));
    shop.now = START + 12 * 3_600_000;
    return shop;
  };

  it('hold messages back, and nothing else, and the run says so', () => {
    const shop = nightShop('wait');
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ before: true });
    expect(shop.timeline.at(-1)).to.deep.include({ outcome: 'quiet_hours', skipped: false, timeZone: 'UTC' });
    shop.pass('P1D');
    expect(sent(shop).map(({ at }) => iso(at))).to.deep.equal(['2026-03-03T08:00:00.000Z']);
    expect(shop.attributes()).to.deep.equal({ before: true, after: true });
  });

  it('leave messages out where they are to', () => {
    const shop = nightShop('skip');
    shop.record('started');
    expect(sent(shop)).to.deep.equal([]);
    expect(shop.attributes()).to.deep.equal({ before: true, after: true });
  });

  it('end no wait of a run that should have ended meanwhile', () => {
    const shop = nightShop('wait', { exit_when: { attribute: 'tier', op: 'eq', value: 'gold' } });
    shop.record('started');
    shop.set({ tier: 'gold' });
    shop.pass('P1D');
    expect(sent(shop)).to.deep.equal([]);
    expect(shop.reasons()).to.deep.equal(['exit_condition']);
  });
});
