import { expect } from 'chai';
import { type Facts, questionKey } from '../../../src/domain/automations/core/machine/facts.ts';
import type { Input } from '../../../src/domain/automations/core/machine/input.ts';
import type { Need } from '../../../src/domain/automations/core/machine/need.ts';
import { react } from '../../../src/domain/automations/core/machine/react.ts';
import type { State } from '../../../src/domain/automations/core/machine/run.ts';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const PROFILE = { id: 'ada', identifiers: {}, attributes: {} };

/** A run of the steps that is due, and what is asked of whoever takes it. */
function due(definition: Parameters<typeof automation>[0]) {
  const shop = new Shop(automation(definition), { manual: true });
  shop.record('started');
  shop.read();
  const { state } = shop.customer('ada');
  const run = shop.onlyActive();
  const input: Input = { type: 'due', runId: run.id };
  return {
    state,
    react: (facts: Facts = {}) => react(state, input, { now: START, automation: shop.automation, facts }),
  };
}

const needsOf = (result: ReturnType<typeof react>): readonly Need[] => ('needs' in result ? result.needs : []);

describe('what the core asks for', () => {
  it('is nothing where nothing depends on it', () => {
    const { react: take } = due({ steps: chain(delay('d', 'PT1H')) });
    expect(take()).to.have.property('state');
  });

  it('is the profile, once an action or a condition needs it', () => {
    const { react: take } = due({ steps: chain(mark('done')) });
    expect(needsOf(take())).to.deep.equal([{ type: 'profile' }]);
    expect(take({ profile: PROFILE })).to.have.property('state');
  });

  it('is a look back, before a wait', () => {
    const { react: take, state } = due({ steps: chain(wait('w', 'ordered')) });
    const [need] = needsOf(take()) as [Extract<Need, { type: 'look_back' }>];
    const run = state.runs[0] as State['runs'][number];
    const { id, at, receivedAt } = run.trigger;
    expect(need).to.deep.equal({
      type: 'look_back',
      question: {
        matches: [{ event_type: 'ordered', next: null }],
        key: null,
        from: START - 300_000,
        trigger: { at, receivedAt, eventId: id },
        except: [id],
        runId: run.id,
      },
    });
    const answered = take({ lookBacks: new Map([[questionKey(need.question), null]]) });
    expect('state' in answered && answered.state.runs[0]?.waiting).to.deep.equal({ for: 'wait', since: START });
  });

  it('is all counts at once that a condition needs', () => {
    const [a, b] = ['a', 'b'].map((event_type) => ({ did: { event_type } })) as [any, any];
    const { react: take } = due({
      steps: [{ id: 'x', type: 'branch', cases: [{ when: { any: [a, b] }, next: null }], else: null }],
    });
    const needs = needsOf(take()) as Extract<Need, { type: 'count' }>[];
    expect(needs.map(({ question }) => question.eventType)).to.deep.equal(['a', 'b']);
    const counts = new Map(needs.map(({ question }) => [questionKey(question), 0]));
    expect(take({ counts })).to.have.property('state');
  });

  it('is a run that another one has started meanwhile', () => {
    const steps = chain(delay('d', 'PT1H'));
    const shop = new Shop(automation({ steps, reentry: { mode: 'restart', per: 'profile' } }));
    shop.record('started');
    const [running] = shop.active();
    const event = shop.record('other');
    const state = { ...shop.customer('ada').state, runs: [] };
    const input: Input = { type: 'event', event: { ...event, eventType: 'started' }, runId: 'next' };
    const take = (facts: Facts) => react(state, input, { now: START, automation: shop.automation, facts });
    expect(needsOf(take({}))).to.deep.equal([{ type: 'run', id: running?.id }]);
    const answered = take({ runs: new Map([[running?.id as string, running ?? null]]) });
    expect('runs' in answered && answered.runs.map(({ id, status }) => [id, status])).to.deep.equal([
      [running?.id, 'ended'],
      ['next', 'active'],
    ]);
  });

  it('changes nothing of what it is given', () => {
    const freeze = (value: any): any => {
      if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) freeze(one);
      return Object.freeze(value);
    };
    const { react: take, state } = due({ steps: chain(mark('done')) });
    freeze(state);
    expect(take({ profile: freeze({ ...PROFILE }) })).to.have.property('state');
  });
});

describe('the answer of the core', () => {
  it('has the runs and enrolments that are to be written, and those alone', () => {
    const shop = new Shop(automation({ steps: chain(mark('m'), delay('d', 'PT1H')) }), { manual: true });
    shop.record('started');
    shop.read();
    const run = shop.active()[0];
    const nothing = shop.tell('ada', { type: 'event', event: shop.record('other'), runId: 'next' });
    expect(nothing).to.deep.include({ runs: [], enrolments: [], timeline: [], effects: [] });
    const ended = shop.tellRun({ type: 'exit', runId: run?.id as string });
    expect(ended.runs.map(({ status }) => status)).to.deep.equal(['ended']);
    expect(ended.enrolments).to.deep.equal([{ key: '', lastStartedAt: START, activeRunId: null, starts: 1 }]);
    expect(ended.state.runs).to.deep.equal([]);
  });

  it('is that a run has nothing to do which is not due, has ended, or is not there', () => {
    const shop = new Shop(automation({ steps: chain(delay('d', 'PT1H')) }));
    shop.record('started');
    const runId = shop.active()[0]?.id as string;
    expect(shop.tellRun({ type: 'due', runId }).runs).to.deep.equal([]);
    shop.pass('PT1H');
    expect(shop.tellRun({ type: 'due', runId }).runs).to.deep.equal([]);
    expect(shop.tell('ada', { type: 'due', runId: 'nobody' }).runs).to.deep.equal([]);
  });
});
