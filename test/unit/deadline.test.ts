import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Deadline } from '../../src/http/deadline.ts';
import { rejectionOf } from '../support/turns.ts';

/** Longer than any test; where one fails, what still waits keeps mocha from ending for as long. */
const LONG = 30_000;

describe('the deadline of a request', () => {
  it('results in what the work results in, and fails as it fails', async () => {
    const deadline = new Deadline(LONG);
    const failure = new Error('broken');
    expect(await deadline.enforce(Promise.resolve('done'))).to.equal('done');
    expect(await rejectionOf(deadline.enforce(Promise.reject(failure)))).to.equal(failure);
    expect(deadline.signal.aborted).to.equal(false);
  });

  it('answers database_error for work that takes longer, and tells the work that nobody waits any more', async () => {
    const deadline = new Deadline(1);
    const { signal } = deadline;
    expect(signal.aborted).to.equal(false);
    expect(await rejectionOf(deadline.enforce(new Promise(() => {})))).to.include({
      name: 'ServiceError',
      code: 'database_error',
    });
    expect(signal.aborted).to.equal(true);
  });

  it('tells so also work that asks only after the time is over', async () => {
    const deadline = new Deadline(1);
    await rejectionOf(deadline.enforce(new Promise(() => {})));
    expect(deadline.signal.aborted).to.equal(true);
    expect(deadline.signal).to.equal(deadline.signal);
  });

  it('leaves no rejection unhandled of work that fails when nobody waits any more', async () => {
    const deadline = new Deadline(1);
    const { promise, reject } = Promise.withResolvers<never>();
    await rejectionOf(deadline.enforce(promise));
    reject(new Error('broken'));
    await sleep(1); // mocha fails a test in which a rejection is unhandled
  });

  it('takes from what is left the time that work took, whether or not it failed', async () => {
    const deadline = new Deadline(LONG);
    await deadline.enforce(sleep(20));
    const { left } = deadline;
    expect(left).to.be.below(LONG - 15);
    await rejectionOf(
      deadline.enforce(
        sleep(20).then(() => {
          throw new Error('broken');
        }),
      ),
    );
    expect(deadline.left).to.be.below(left - 15);
  });

  it('gives later work no more than what earlier work has left', async () => {
    const [used, fresh] = [new Deadline(2_000), new Deadline(2_000)];
    await used.enforce(sleep(1_000));
    const refused: string[] = [];
    const never = new Promise(() => {});
    await Promise.all([
      fresh.enforce(never).catch(() => refused.push('fresh')),
      used.enforce(never).catch(() => refused.push('used')),
    ]);
    expect(refused).to.deep.equal(['used', 'fresh']);
  });

  it('does not count what is not the database, and goes on to count afterwards', async () => {
    const deadline = new Deadline(1_000);
    let hasEnded = false;
    const work = async () => {
      await deadline.except(sleep(1_500));
      hasEnded = true;
      await new Promise(() => {});
    };
    expect(await rejectionOf(deadline.enforce(work()))).to.include({ code: 'database_error' });
    expect([hasEnded, deadline.signal.aborted]).to.deep.equal([true, true]);
    // Nothing is counted once nobody waits.
    await deadline.except(Promise.resolve());
    expect(await rejectionOf(deadline.except(Promise.reject(new Error('broken'))))).to.include({ message: 'broken' });
  });

  it('spends time on other things, but for what the work itself may need', () => {
    const deadline = new Deadline(3_000);
    deadline.spend(200);
    expect(deadline.left).to.equal(2_800);
    deadline.spend(2_000);
    expect(deadline.left).to.equal(2_000);
    deadline.spend(2_000);
    expect(deadline.left).to.equal(2_000);
  });

  it('gains nothing by spending where less is left than the work may need', async () => {
    const deadline = new Deadline(300);
    await deadline.enforce(sleep(150));
    const { left } = deadline;
    deadline.spend(100);
    expect(deadline.left).to.equal(left);
  });

  it('never has less than nothing left', async () => {
    const deadline = new Deadline(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    await rejectionOf(deadline.enforce(promise));
    resolve();
    await sleep(1);
    expect(deadline.left).to.equal(0);
  });
});
