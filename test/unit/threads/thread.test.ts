import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { Thread, ThreadEnded } from '../../../src/threads/thread.ts';
import { rejectionOf } from '../../support/turns.ts';

/** Very little, which is too much for no thread that may take as long as it likes. */
const SHORT_MS = 200;

describe('A thread', () => {
  let gate: SharedArrayBuffer;
  let logged: string[];
  let thread: Thread<{ gate: SharedArrayBuffer }, 'echo' | 'hang', string>;

  const create = (limits: { hangMs?: number; startMs?: number } = {}) => {
    gate = new SharedArrayBuffer(4);
    logged = [];
    thread = new Thread({
      name: 'test',
      module: new URL('./gated-thread.ts', import.meta.url),
      data: { gate },
      log: pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line).msg) }),
      maxMemory: 64,
      ...limits,
    });
    return thread;
  };
  /** Lets it start, now or once it is made. */
  const open = () => {
    const flag = new Int32Array(gate);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  afterEach(() => thread.stop());

  it('starts with the first request to it, and answers', async () => {
    create();
    open();
    expect(await thread.ask('echo')).to.equal('echo');
    expect(logged).to.deep.equal([]);
  });

  it('is waited for, however slow it is to start', async () => {
    create({ hangMs: SHORT_MS });
    const started = thread.start().catch(() => {});
    await sleep(5 * SHORT_MS);
    expect(logged).to.deep.equal([]);
    open();
    await started;
  });

  it('is terminated if it never starts', async () => {
    create({ startMs: SHORT_MS });
    expect(await rejectionOf(thread.ask('echo'))).to.be.instanceOf(ThreadEnded);
    expect(logged).to.deep.equal(['a thread is blocked, and is terminated']);
  });

  it('is terminated if it hangs once it is ready', async () => {
    create({ hangMs: SHORT_MS });
    open();
    expect(await rejectionOf(thread.ask('hang'))).to.be.instanceOf(ThreadEnded);
    expect(logged).to.include('a thread is blocked, and is terminated');
  });

  it('is stopped while it starts, and takes no more requests', async () => {
    create();
    const asked = rejectionOf(thread.ask('echo'));
    await thread.stop();
    expect(await asked).to.be.instanceOf(ThreadEnded);
    expect(await rejectionOf(thread.ask('echo'))).to.be.instanceOf(ThreadEnded);
  });
});
