import { expect } from 'chai';
import { MAX_HISTORY } from '../../../src/domain/conditions/history.ts';
import { automation, chain, mark } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

/** A shop with a run at its step that is due, which fails as often as is asked. */
function failing(reentry: 'one_at_a_time' | 'every_time' = 'one_at_a_time') {
  const shop = new Shop(automation({ reentry: { mode: reentry, per: 'profile' }, steps: chain(mark('done')) }), {
    manual: true,
  });
  shop.record('started');
  shop.read();
  const { id: runId } = shop.onlyActive();
  const run = () => shop.runs.get(runId);
  const fail = (times: number) => {
    for (let i = 0; i < times; i += 1) {
      shop.now = run()?.dueAt ?? shop.now;
      shop.tellRun({ type: 'failure', runId, seq: run()?.seq as number, code: 'too_many_attributes' });
    }
  };
  return { shop, runId, run, fail };
}

describe('a step that fails', () => {
  it('is tried again, later each time, up to an hour', () => {
    const { shop, run, fail } = failing();
    const minutes = [1, 2, 3, 4].map(() => {
      fail(1);
      return ((run()?.dueAt as number) - shop.now) / 60_000;
    });
    expect(minutes).to.deep.equal([1, 5, 20, 60]);
    shop.now += 3_600_000;
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ done: true });
    expect(run()).to.include({ status: 'ended', attempts: 0 });
  });

  it('makes the run fail the fifth time, with a code', () => {
    const { shop, run, fail } = failing();
    fail(5);
    expect(run()).to.include({ status: 'failed', reason: 'too_many_attributes', dueAt: null });
    expect(shop.outcomes()).to.deep.equal([['started', ...Array(4).fill('attempt_failed'), 'failed']]);
  });

  it('counts once, however often that is said', () => {
    const { shop, runId, run } = failing();
    for (const _ of [1, 2]) shop.tellRun({ type: 'failure', runId, seq: 1, code: 'x' });
    expect(run()?.attempts).to.equal(1);
  });

  it('is one that would have to read too much of the history', () => {
    const when = { did: { event_type: 'seen', at_least: 20_000 } };
    const shop = new Shop(
      automation({ steps: [{ id: 'b', type: 'branch', cases: [{ when, next: null }], else: null }] }),
    );
    for (let i = 0; i <= MAX_HISTORY; i += 1) shop.record('seen');
    shop.record('started');
    expect(shop.timeline.at(-1)).to.include({ outcome: 'failed', code: 'history_too_long', attempt: 1 });
  });

  it('makes the run fail at once where time heals nothing; it can be retried', () => {
    for (const code of ['too_large', 'message_too_large', 'history_too_long', 'endpoint_deleted']) {
      const { shop, runId, run } = failing();
      shop.tellRun({ type: 'failure', runId, seq: run()?.seq as number, code });
      expect(run()).to.include({ status: 'failed', reason: code, dueAt: null });
      shop.tellRun({ type: 'retry', runId });
      shop.settle();
      expect(run()).to.include({ status: 'ended', reason: 'completed' });
    }
  });
});

describe('a failed run', () => {
  it('goes on from its step when it is retried', () => {
    const { shop, runId, run, fail } = failing();
    fail(5);
    shop.tellRun({ type: 'retry', runId });
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ done: true });
    expect(run()).to.include({ status: 'ended', reason: 'completed' });
    expect(shop.tellRun({ type: 'retry', runId }).timeline).to.deep.equal([]);
  });

  it('shuts nobody out; but then it can not be retried while another run is in its place', () => {
    const { shop, runId, fail } = failing();
    fail(5);
    shop.record('started');
    shop.read();
    expect(shop.active()).to.have.length(1);
    expect(shop.tellRun({ type: 'retry', runId }).timeline).to.deep.equal([]);
    shop.settle();
    expect(shop.tellRun({ type: 'retry', runId }).timeline).to.have.length(1);
  });

  it('can always be retried where any number of runs may be', () => {
    const { shop, runId, fail } = failing('every_time');
    fail(5);
    shop.record('started');
    shop.read();
    shop.tellRun({ type: 'retry', runId });
    expect(shop.active()).to.have.length(2);
  });

  it('can be ended', () => {
    const { shop, runId, fail } = failing();
    fail(5);
    shop.tellRun({ type: 'exit', runId });
    expect(shop.reasons()).to.deep.equal(['requested']);
  });
});
