import { expect } from 'chai';
import { pino } from 'pino';
import { ThreadEnded } from '../../../src/threads/thread.ts';
import { WatchedThread } from '../../../src/threads/watched-thread.ts';
import { until } from '../../support/process.ts';
import { rejectionOf } from '../../support/turns.ts';
import type { TestTask } from './task-thread.ts';

const LONG = 60_000;

describe('A watched thread', () => {
  let thread: WatchedThread<TestTask, number>;
  let logged: string[];

  const create = (limits: { taskMs?: number; idleMs?: number } = {}) => {
    logged = [];
    thread = new WatchedThread({
      name: 'test',
      module: new URL('./task-thread.ts', import.meta.url),
      log: pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line).msg) }),
      maxMemory: 32,
      taskMs: LONG,
      ...limits,
    });
    return thread;
  };
  /** The thread that does a task. */
  const idOf = async () => {
    const [result] = await thread.run(['id'], LONG);
    return result && 'answer' in result ? result.answer : undefined;
  };
  afterEach(() => thread.stop());

  it('performs tasks in their order', async () => {
    create();
    const [first, second, third] = await thread.run(['id', 'throw', 'id'], LONG);
    expect(first).to.have.property('answer');
    expect(second).to.deep.equal({ failed: 'error', reason: 'It threw' });
    expect(third).to.deep.equal(first);
    expect(logged).to.deep.equal([]);
  });

  it('begins no other task once the time of a batch is over', async () => {
    create();
    expect(await thread.run([{ ms: 2 }, 'id', 'id'], 1)).to.have.length(1);
  });

  for (const task of ['hang', 'wait for ever'] as const) {
    it(`is ended by a task that takes too long (${task}), and replaced`, async () => {
      create({ taskMs: 500 });
      const before = await idOf();
      const results = await thread.run(['id', task, 'id'], LONG);
      expect(Object.entries(results)).to.deep.equal([
        ['1', { failed: 'too_slow', reason: 'It took longer than 500 ms' }],
      ]);
      expect(await idOf()).to.not.equal(before);
      expect(logged).to.deep.equal(['a task takes too long, and its thread is terminated']);
    });
  }

  for (const task of ['exit', 'fill the memory'] as const) {
    it(`is replaced after a task that ended it (${task})`, async () => {
      create();
      const before = await idOf();
      const results = await thread.run(['id', task, 'id'], LONG);
      expect(Object.entries(results)).to.deep.equal([['1', { failed: 'thread_ended', reason: 'Its thread ended' }]]);
      expect(await idOf()).to.not.equal(before);
    });
  }

  it('ends when it has had nothing to do for a while', async () => {
    create({ idleMs: 1 });
    const before = await idOf();
    await until(async () => (await idOf()) !== before, 'the thread to end');
  });

  it('is stopped in the midst of a task, and takes no other', async () => {
    create();
    const before = await idOf();
    expect(before).to.be.a('number');
    const pending = rejectionOf(thread.run(['hang'], LONG));
    await thread.stop();
    expect(await pending).to.be.instanceOf(ThreadEnded);
    expect(await rejectionOf(thread.run(['id'], LONG))).to.be.instanceOf(ThreadEnded);
  });

  it('says so if it does not start', async () => {
    thread = new WatchedThread({
      name: 'test',
      module: new URL('./no-such-thread.ts', import.meta.url),
      log: pino({ level: 'silent' }),
      maxMemory: 32,
      taskMs: LONG,
    });
    expect(await rejectionOf(thread.run(['id'], LONG))).to.be.instanceOf(ThreadEnded);
  });
});
