import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { LateWork, RequestLoad, RightOfWay } from '../../../src/engine/right-of-way.ts';
import { until } from '../../support/process.ts';

describe('RightOfWay', () => {
  const setUp = () => {
    const state = { hasWaited: false, waitedMs: 0 };
    const load = new RequestLoad(async () => state.waitedMs);
    const flag = new Int32Array(load.shared);
    const way = new RightOfWay(load.shared);
    const give = (begun: number) =>
      way.give(begun).then(() => {
        state.hasWaited = true;
      });
    return { load, flag, give, state };
  };

  it('lets work go on while there are few requests', async () => {
    const { give, state } = setUp();
    void give(1_000);
    await nextTurn();
    expect(state.hasWaited).to.equal(true);
  });

  it('has work wait while there are many, and no longer', async () => {
    const { flag, give, state } = setUp();
    flag[0] = 1;
    const waiting = give(1_000);
    await nextTurn();
    expect(state.hasWaited).to.equal(false);
    flag[0] = 0;
    await waiting;
  });

  it('is given while its own thread is busy, and others take its time', async () => {
    const { load, flag, state } = setUp();
    const look = async (waitedMs: number) => {
      await load.periodic.run();
      const { user } = process.threadCpuUsage();
      while (process.threadCpuUsage().user - user < 20_000);
      state.waitedMs += waitedMs;
      await load.periodic.run();
      return flag[0];
    };
    expect(await look(0)).to.equal(0);
    expect(await look(1_000_000)).to.equal(1);
    await until(async () => {
      state.waitedMs += 1_000_000;
      await load.periodic.run();
      return flag[0] === 0;
    }, 'it is busy no more');
  });
});

describe('LateWork', () => {
  it('has turns now and then while requests go first, each part its own', () => {
    const shared = new SharedArrayBuffer(4);
    const flag = new Int32Array(shared);
    const work = new LateWork(new RightOfWay(shared));
    const dueOf = (...parts: string[]) => parts.map((part) => work.isDue(part));
    expect(dueOf('a', 'a')).to.deep.equal([true, true]);
    flag[0] = 1;
    expect(dueOf('a', 'a', 'b', 'b')).to.deep.equal([true, false, true, false]);
    flag[0] = 0;
    expect(dueOf('a', 'a')).to.deep.equal([true, true]);
  });
});
