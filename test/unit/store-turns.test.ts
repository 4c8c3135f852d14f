import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreTurns, type TurnResult } from '../../src/engine/turns.ts';
import { until } from '../support/process.ts';
import { turns } from '../support/turns.ts';

const DONE: TurnResult = { isMore: false, hasFailed: false };

describe('Turns of stores', () => {
  /** Stores in the order in which their turns begin; a turn lasts until it is ended. */
  class Room {
    readonly begun: string[] = [];
    readonly turns: StoreTurns;
    readonly #ends = new Map<string, (result: TurnResult) => void>();

    constructor(concurrency: number, servers: number, stuckMs = 600_000, ignoresCurrent = false) {
      const take = (storeId: string) => {
        this.begun.push(storeId);
        return new Promise<TurnResult>((resolve) => this.#ends.set(storeId, resolve));
      };
      this.turns = new StoreTurns({ concurrency, servers: () => servers, take, stuckMs, ignoresCurrent });
    }

    async end(storeId: string, result = DONE): Promise<void> {
      this.#ends.get(storeId)?.(result);
      await turns();
    }
  }

  it('are as many at a time as there may be, and a store has one at a time', async () => {
    const room = new Room(2, 1);
    room.turns.add(['a', 'b', 'c'], '');
    room.turns.add(['a'], '');
    expect(room.begun).to.deep.equal(['a', 'b']);
    await room.end('b');
    expect(room.begun).to.deep.equal(['a', 'b', 'c']);
    await room.end('a');
    expect(room.begun).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('are given once to one that is found during its turn, if it will be found again', async () => {
    const room = new Room(2, 1, 600_000, true);
    room.turns.add(['a'], '');
    room.turns.add(['a'], '');
    await room.end('a');
    expect(room.begun).to.deep.equal(['a']);
    room.turns.add(['a'], '');
    expect(room.begun).to.deep.equal(['a', 'a']);
  });

  it('go to those who wait before one that has more to do', async () => {
    const room = new Room(1, 1);
    room.turns.add(['a', 'b'], '');
    await room.end('a', { isMore: true, hasFailed: false });
    await room.end('b');
    expect(room.begun).to.deep.equal(['a', 'b', 'a']);
  });

  it('are given again after one that failed, but not at once', async () => {
    const room = new Room(1, 1);
    room.turns.add(['a'], '');
    await room.end('a', { isMore: true, hasFailed: true });
    room.turns.add(['a', 'b'], '');
    expect(room.begun).to.deep.equal(['a', 'b']);
    await room.end('b');
    await until(async () => {
      room.turns.add(['a'], '');
      return room.begun.length === 3;
    }, 'it gets another');
  });

  it('are not given at once after one that failed, whoever was found again meanwhile', async () => {
    const room = new Room(1, 1);
    room.turns.add(['a'], '');
    room.turns.add(['a'], '');
    await room.end('a', { isMore: true, hasFailed: true });
    expect(room.begun).to.deep.equal(['a']);
  });

  it('wait for no other where as many as there are may be at a time, whether one hangs or not', async () => {
    const room = new Room(Number.POSITIVE_INFINITY, 2, 1);
    room.turns.add(['a0'], 'a');
    await sleep(10);
    room.turns.add(['a1', 'a2', 'a3'], 'a');
    expect(room.begun).to.deep.equal(['a0', 'a1', 'a2', 'a3']);
  });

  it('are no more than half for one of several servers', () => {
    const room = new Room(4, 2);
    room.turns.add(['a1', 'a2', 'a3'], 'a');
    room.turns.add(['b1'], 'b');
    expect(room.begun).to.deep.equal(['a1', 'a2', 'b1']);
  });

  for (const concurrency of [1, 2, 8]) {
    it(`go on at one server while all others hang, with ${concurrency} at a time`, async () => {
      const room = new Room(concurrency, 4, 50);
      const hanging = ['a', 'b', 'c'];
      for (const server of hanging) {
        room.turns.add(
          Array.from({ length: 10 }, (_, n) => `${server}${n}`),
          server,
        );
      }
      room.turns.add(['live0', 'live1', 'live2'], 'live');
      for (const storeId of ['live0', 'live1', 'live2']) {
        await until(async () => room.begun.includes(storeId), `${storeId} has its turn`);
        await room.end(storeId);
      }
      const most = Math.max(1, Math.floor(concurrency / 2));
      for (const server of hanging) {
        expect(room.begun.filter((storeId) => storeId.startsWith(server)).length, server).to.be.at.most(most);
      }
    });
  }

  it('are one at a time for a server that hung, until one succeeds', async () => {
    const room = new Room(8, 2, 50);
    room.turns.add(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'], 'a');
    expect(room.begun).to.have.length(4);
    await sleep(100);
    const failed = { isMore: true, hasFailed: true };
    await room.end('a0', failed);
    await room.end('a1', failed);
    // One beside those that are stuck, not two.
    expect(room.begun.slice(4)).to.deep.equal(['a4']);
    await room.end('a4');
    expect(room.begun.slice(5)).to.deep.equal(['a5', 'a6']);
  });

  it('are twice as many at most with those that are stuck, but for one of each server', async () => {
    const room = new Room(2, 6, 20);
    const hanging = ['a', 'b', 'c', 'd', 'e'];
    for (const server of hanging) room.turns.add([`${server}0`, `${server}1`], server);
    room.turns.add(['f0', 'f1'], 'f');
    await until(async () => room.begun.includes('f0'), 'the last server has its turn');
    expect(room.begun).to.have.members([...hanging.map((server) => `${server}0`), 'f0']);

    const wide = new Room(8, 6, 20);
    for (const server of hanging) {
      wide.turns.add(
        Array.from({ length: 8 }, (_, n) => `${server}${n}`),
        server,
      );
    }
    await until(async () => wide.begun.includes('e0'), 'each server has a turn');
    await sleep(100);
    expect(wide.begun).to.have.length(17);
    await wide.end('a0', { isMore: true, hasFailed: true });
    expect(wide.begun).to.have.length(17);
  });

  it('begin no more once they are stopped', async () => {
    const room = new Room(1, 1);
    room.turns.add(['a', 'b'], '');
    room.turns.stop();
    await room.end('a', { isMore: true, hasFailed: false });
    room.turns.add(['c'], '');
    expect(room.begun).to.deep.equal(['a']);
  });
});
