import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ResponseBudget } from '../../src/http/response-budget.ts';

const MB = 1024 * 1024;
const OVERLOADED = { name: 'ServiceError', code: 'upstream_error', retryAfter: 1 };

/** An answer as far as the budget looks at it; `emit('close')` is what Node does once the client has it, or is gone. */
function answer({ isGone = false } = {}): ServerResponse {
  return Object.assign(new EventEmitter(), { req: { socket: { destroyed: isGone } } }) as unknown as ServerResponse;
}

describe('the budget of answers', () => {
  it('lets a store have a quarter of the memory waiting, and others the rest', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    budget.holdUntilSent('a', answer(), 20 * MB, false);
    budget.holdUntilSent('a', answer(), 5 * MB, false);
    expect(() => budget.check('a'))
      .to.throw()
      .that.includes(OVERLOADED);
    expect(() => budget.holdUntilSent('a', answer(), MB, false))
      .to.throw()
      .that.includes(OVERLOADED);
    budget.check('b');
    budget.holdUntilSent('b', answer(), 25 * MB, false);
  });

  it('counts an answer until its client has taken it or is gone', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    const first = answer();
    budget.holdUntilSent('a', first, 25 * MB, false);
    expect(budget.bytesLeft('a')).to.equal(0);
    first.emit('close');
    first.emit('close');
    budget.check('a');
    expect(budget.bytesLeft('a')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('sends what tells of something that has happened, even where it is too much, and counts it', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    const [first, second] = [answer(), answer()];
    budget.holdUntilSent('a', first, 25 * MB, false);
    budget.holdUntilSent('a', second, 10 * MB, true);
    first.emit('close');
    expect(budget.bytesLeft('a')).to.equal(15 * MB);
    second.emit('close');
    expect(budget.bytesLeft('a')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('does not count small answers', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    for (let i = 0; i < 3_000; i += 1) budget.holdUntilSent('a', answer(), 16 * 1024, false);
    expect(budget.bytesLeft('a')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('does not count an answer to a client that is gone already', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    budget.holdUntilSent('a', answer({ isGone: true }), 25 * MB, false);
    expect(budget.bytesLeft('a')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('sends an answer that is larger than the share while nothing else of the store waits, and then nothing more', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    const large = answer();
    budget.holdUntilSent('a', large, 60 * MB, false);
    expect(() => budget.holdUntilSent('a', answer(), 17 * 1024, false))
      .to.throw()
      .that.includes(OVERLOADED);
    large.emit('close');
    budget.holdUntilSent('a', answer(), 17 * 1024, false);
    expect(() => budget.holdUntilSent('a', answer(), 60 * MB, false))
      .to.throw()
      .that.includes(OVERLOADED);
  });

  it('gives a store room for the largest event however little memory there is for answers', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 1 });
    budget.holdUntilSent('a', answer(), 11 * MB, false);
    expect(budget.bytesLeft('a')).to.equal(MB);
  });

  it('refuses a store that has nothing waiting where all stores together have too much', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 48 });
    for (const store of ['a', 'b', 'c', 'd']) {
      expect(budget.bytesLeft(store)).to.equal(Number.POSITIVE_INFINITY);
      budget.holdUntilSent(store, answer(), 12 * MB, false);
    }
    expect(budget.bytesLeft('e')).to.equal(0);
    expect(() => budget.check('e'))
      .to.throw()
      .that.includes(OVERLOADED);
  });

  it('counts what is sent bit by bit until it is released, also pieces that are larger than the share', () => {
    const budget = new ResponseBudget({ maxResponseMemory: 100 });
    for (const bytes of [60 * MB, 10 * MB]) budget.take('a', bytes);
    expect(budget.bytesLeft('a')).to.equal(0);
    budget.release('a', 60 * MB);
    expect(budget.bytesLeft('a')).to.equal(15 * MB);
    budget.release('a', 10 * MB);
    expect(budget.bytesLeft('a')).to.equal(Number.POSITIVE_INFINITY);
  });
});
