import { expect } from 'chai';
import { LoadShedder } from '../../src/http/load-shedder.ts';
import { MAX_BODY_BYTES } from '../../src/process/limits.ts';
import { rejectionOf, turns } from '../support/turns.ts';

const MB = 1024 * 1024;
const OVERLOADED = { name: 'ServiceError', code: 'upstream_error', retryAfter: 1 };

describe('the load shedder', () => {
  it('refuses at once a request more than may be under way, without doing its work', async () => {
    const shedder = new LoadShedder({ maxRequests: 2, maxBodyMemory: 100 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const underWay = [shedder.run(() => promise), shedder.run(() => promise)];
    let isDone = false;
    const refused = shedder.run(async () => {
      isDone = true;
    });
    expect(await rejectionOf(refused)).to.include(OVERLOADED);
    expect(isDone).to.equal(false);
    resolve('done');
    expect(await Promise.all(underWay)).to.deep.equal(['done', 'done']);
    expect(await shedder.run(async () => 'next')).to.equal('next');
  });

  it('has room for the next request where one fails, or throws at once', async () => {
    const shedder = new LoadShedder({ maxRequests: 1, maxBodyMemory: 100 });
    const failure = new Error('broken');
    expect(await rejectionOf(shedder.run(() => Promise.reject(failure)))).to.equal(failure);
    const throwing = shedder.run(() => {
      throw failure;
    });
    expect(await rejectionOf(throwing)).to.equal(failure);
    expect(await shedder.run(async () => 'next')).to.equal('next');
  });

  it('counts a refused request as none of those under way', async () => {
    const shedder = new LoadShedder({ maxRequests: 1, maxBodyMemory: 100 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const underWay = shedder.run(() => promise);
    for (let i = 0; i < 3; i += 1) await rejectionOf(shedder.run(async () => {}));
    resolve();
    await underWay;
    await turns();
    const next = shedder.run(async () => 'next');
    expect(await rejectionOf(shedder.run(async () => {}))).to.include(OVERLOADED);
    expect(await next).to.equal('next');
  });

  it('gives the bodies of one store a quarter of the memory, and leaves the rest to others', () => {
    const shedder = new LoadShedder({ maxRequests: 1, maxBodyMemory: 100 });
    const [one, two, other] = [shedder.bodyBudget('a'), shedder.bodyBudget('a'), shedder.bodyBudget('b')];
    one.take(20 * MB);
    two.take(5 * MB);
    expect(() => two.take(1))
      .to.throw()
      .that.includes(OVERLOADED);
    other.take(25 * MB);
    one.release();
    two.take(20 * MB);
  });

  it('lets every store send the largest body, however little memory there is for bodies', () => {
    const shedder = new LoadShedder({ maxRequests: 1, maxBodyMemory: 8 });
    const body = shedder.bodyBudget('a');
    body.take(MAX_BODY_BYTES);
    expect(() => body.take(1))
      .to.throw()
      .that.includes(OVERLOADED);
  });

  it('releases all that a body took bit by bit, once, and nothing of other bodies', () => {
    const shedder = new LoadShedder({ maxRequests: 1, maxBodyMemory: 40 });
    const [one, two] = [shedder.bodyBudget('a'), shedder.bodyBudget('a')];
    for (let i = 0; i < 6; i += 1) one.take(MB);
    two.take(4 * MB);
    one.release();
    one.release();
    two.take(6 * MB);
    expect(() => one.take(1))
      .to.throw()
      .that.includes(OVERLOADED);
  });
});
