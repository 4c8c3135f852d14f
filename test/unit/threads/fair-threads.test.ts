import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { pino } from 'pino';
import { FairThreads } from '../../../src/threads/fair-threads.ts';
import { ThreadEnded } from '../../../src/threads/thread.ts';
import { until } from '../../support/process.ts';
import { rejectionOf } from '../../support/turns.ts';
import type { TestTask } from './task-thread.ts';

describe('Threads that stores share', () => {
  let threads: FairThreads<TestTask, number>;

  beforeEach(() => {
    threads = new FairThreads({
      name: 'test',
      module: new URL('./task-thread.ts', import.meta.url),
      log: pino({ level: 'silent' }),
      maxMemory: 32,
      taskMs: 500,
    });
  });
  afterEach(() => threads.stop());

  const outcomes = async (storeId: string, tasks: TestTask[]) =>
    (await threads.run(storeId, tasks)).map((result) => ('answer' in result ? 'done' : result.failed));

  it('perform the tasks of a store in their order, however many they are', async () => {
    const tasks = Array.from({ length: 300 }, (_, i): TestTask => (i === 290 ? 'throw' : 'id'));
    const results = await outcomes('a', tasks);
    expect(results).to.have.length(300);
    expect(results.indexOf('error')).to.equal(290);
    expect(await outcomes('a', [])).to.deep.equal([]);
  });

  it('give turns to others while a store has much to do', async () => {
    const finished: string[] = [];
    const note = (name: string) => () => finished.push(name);
    const much = threads
      .run(
        'a',
        Array.from({ length: 20 }, () => ({ ms: 30 })),
      )
      .then(note('much'));
    const little = threads.run('b', ['id']).then(note('little'));
    await Promise.all([much, little]);
    expect(finished).to.deep.equal(['little', 'much']);
  });

  it('perform what stood beside a task that took too long', async () => {
    expect(await outcomes('a', ['id', 'hang', 'id', 'exit', 'id'])).to.deep.equal([
      ...['done', 'too_slow', 'done', 'thread_ended', 'done'],
    ]);
  });

  it('take all others for slow after two that were', async () => {
    expect(await outcomes('a', ['hang', 'hang', 'id', 'id'])).to.deep.equal(Array(4).fill('too_slow'));
  });

  it('have a store whose task took too long go on apart from others', async () => {
    const first = await threads.run('b', ['id']);
    await outcomes('a', ['hang', 'id']);
    const slow = outcomes('a', ['hang']);
    // In another thread than that one, which `a` has no more of.
    const [before, after] = [await threads.run('b', ['id']), await threads.run('b', ['id'])];
    expect(before).to.not.deep.equal(first);
    expect(after).to.deep.equal(before);
    expect(await slow).to.deep.equal(['too_slow']);
    expect(await threads.run('b', ['id'])).to.deep.equal(before);
  });

  it('have what waits of such a store go on apart as well', async () => {
    const [slow, waiting] = [threads.run('a', ['hang']), threads.run('a', ['id'])];
    const [of] = [await waiting, await slow];
    expect(await threads.run('b', ['id'])).to.not.deep.equal(of);
  });

  it('have a store go on apart whose tasks are slow, and never too slow', async () => {
    const usual = await threads.run('b', ['id']);
    expect(await threads.run('a', ['id']), 'at first').to.deep.equal(usual);
    const threadOf = async () => (await threads.run('a', [{ ms: 200 }]))[0];
    await until(async () => !isDeepStrictEqual(await threadOf(), usual[0]), 'it is apart');
    expect(await threads.run('b', ['id'])).to.deep.equal(usual);
  });

  it('end what waits when they are stopped', async () => {
    const pending = ['a', 'b'].map((store) => rejectionOf(threads.run(store, ['hang'])));
    await threads.stop();
    for (const error of await Promise.all(pending)) expect(error).to.be.instanceOf(ThreadEnded);
    expect(await rejectionOf(threads.run('a', ['id']))).to.be.instanceOf(ThreadEnded);
  });
});
