import { expect } from 'chai';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const reminder = automation({
  exit_on: [{ event_type: 'ordered' }],
  steps: chain(delay('hour', 'PT1H'), mark('reminded')),
});

describe('a paused automation', () => {
  it('takes no steps, until it is resumed', () => {
    const shop = new Shop(reminder);
    shop.record('started');
    shop.status = 'paused';
    shop.pass('PT3H');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({});
    shop.tellRun({ type: 'due', runId: shop.onlyActive().id });
    expect(shop.attributes()).to.deep.equal({});
    shop.resume('run');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ reminded: true });
    expect(shop.outcomes()).to.deep.equal([['started', 'delayed', 'profile_set', 'ended']]);
  });

  it('lets nobody in, and does not make up for it', () => {
    const shop = new Shop(reminder);
    shop.status = 'paused';
    shop.record('started');
    expect(shop.skips().map(({ reason }) => reason)).to.deep.equal(['paused']);
    shop.resume('run');
    shop.settle();
    expect(shop.runs.size).to.equal(0);
  });

  it('still ends runs by their exits', () => {
    const shop = new Shop(reminder);
    shop.record('started');
    shop.status = 'paused';
    shop.record('ordered');
    expect(shop.reasons()).to.deep.equal(['exit_event']);
  });

  it('still ends waits, but not with an action', () => {
    const shop = new Shop(
      automation({ steps: chain(wait('w', 'x', { for: [{ event_type: 'x', next: 'done' }] }), mark('done')) }),
    );
    shop.record('started');
    shop.status = 'paused';
    shop.record('x');
    expect(shop.active().map(({ stepId }) => stepId)).to.deep.equal(['done']);
    expect(shop.attributes()).to.deep.equal({});
    shop.resume('run');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ done: true });
  });
});

describe('an automation that is resumed', () => {
  it('ends what was due meanwhile, where it is to', () => {
    const shop = new Shop(reminder);
    shop.record('started', {}, { customer: 'ada' });
    shop.status = 'paused';
    shop.pass('PT3H');
    shop.resume('exit');
    shop.record('started', {}, { customer: 'ben' });
    shop.settle();
    shop.pass('PT1H');
    expect([shop.reasons('ada'), shop.reasons('ben')]).to.deep.equal([['overdue'], ['completed']]);
  });

  it('spreads what was due meanwhile, each run once', () => {
    const shop = new Shop(reminder);
    for (let i = 0; i < 200; i += 1) shop.record('started', {}, { customer: `customer ${i}` });
    shop.status = 'paused';
    shop.pass('PT3H');
    const resumed = shop.now;
    shop.resume('run', 'PT15M');
    shop.settle();
    shop.pass('PT15M');
    expect(shop.active()).to.have.length(0);
    const times = shop.effects.map(({ at }) => at - resumed);
    expect(times).to.have.length(200);
    for (const third of [0, 1, 2]) {
      expect(times.filter((ms) => Math.floor(ms / 300_000) === third)).to.have.length.within(40, 95);
    }
  });
});

describe('a draining automation', () => {
  it('lets nobody in, and its runs finish', () => {
    const shop = new Shop(reminder);
    shop.record('started');
    shop.status = 'draining';
    shop.record('started', {}, { customer: 'ben' });
    shop.pass('PT1H');
    expect(shop.attributes()).to.deep.equal({ reminded: true });
    expect([...shop.runs.values()].map(({ profileId }) => profileId)).to.deep.equal(['ada']);
    expect(shop.skips()).to.deep.equal([]);
  });
});

describe('an archived automation', () => {
  it('ends its runs when they are next looked at', () => {
    const shop = new Shop(reminder);
    shop.record('started');
    const run = shop.onlyActive();
    shop.status = 'archived';
    shop.now = START + 3_600_000;
    shop.tellRun({ type: 'due', runId: run.id });
    expect(shop.reasons()).to.deep.equal(['archived']);
    expect(shop.attributes()).to.deep.equal({});
  });
});
