import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { DataServer } from '../../src/db/store-data.ts';
import { WorkSearch } from '../../src/engine/search.ts';
import type { Log } from '../../src/process/log.ts';
import { until } from '../support/process.ts';
import { stateOf, turns } from '../support/turns.ts';

const serversNamed = (...names: string[]): DataServer[] => names.map((name) => ({ name, each: async () => {} }));

describe('The search for work on servers', () => {
  /** Servers that were searched, in that order. */
  let searched: string[];
  let servers: DataServer[];
  let logged: string[];
  /** What a search of a server does. */
  let does: Record<string, () => Promise<void>>;
  let search: WorkSearch;

  beforeEach(() => {
    [searched, logged, does] = [[], [], {}];
    servers = serversNamed('a', 'b');
    const note = (_: object, message: string) => logged.push(message);
    search = new WorkSearch({
      stores: { servers: async () => servers },
      log: { error: note, warn: note, info: note } as unknown as Log,
      failure: 'not searched',
      search: async ({ name }) => {
        searched.push(name);
        await does[name]?.();
      },
    });
  });

  const countOf = (name: string) => searched.filter((other) => other === name).length;
  const tick = async () => {
    await search.tick();
    await turns();
  };
  /** Ticks until a server has been searched so often. */
  const untilSearched = (name: string, times: number) =>
    until(async () => {
      await tick();
      return countOf(name) >= times;
    }, `${name} is searched ${times} times`);

  it('searches each, again and again', async () => {
    await untilSearched('a', 3);
    await untilSearched('b', 3);
    expect(search.servers).to.equal(2);
  });

  it('goes on with the others while one hangs, of which one search is under way', async () => {
    let goOn = () => {};
    does.a = () => new Promise<void>((resolve) => (goOn = resolve));
    await untilSearched('b', 5);
    expect(countOf('a')).to.equal(1);
    goOn();
    does.a = async () => {};
    await untilSearched('a', 2);
  });

  it('goes on with the others while one fails, which is tried again at once and logged once', async () => {
    does.a = async () => {
      await turns();
      throw new Error('It is down');
    };
    for (let times = 1; times <= 3; times += 1) {
      await tick();
      await until(async () => logged.length > 0, 'the failure is logged');
      await turns(20);
      expect(countOf('a')).to.equal(times);
    }
    await untilSearched('b', 3);
    expect(logged).to.deep.equal(['not searched']);
  });

  it('rests after each search, four times as long as it took', async () => {
    const times: number[] = [];
    does.a = async () => {
      times.push(performance.now());
      await sleep(50);
      times.push(performance.now());
    };
    await untilSearched('a', 2);
    const [began, ended, again] = times as [number, number, number];
    expect(again - ended).to.be.at.least(3.9 * (ended - began));
    expect(countOf('b')).to.be.above(2);
    await search.stop();
  });

  it('forgets a server that is gone, once nothing is under way there', async () => {
    let goOn = () => {};
    does.a = () => new Promise<void>((resolve) => (goOn = resolve));
    await tick();
    servers = serversNamed('b', 'c');
    await tick();
    expect(search.servers).to.equal(3);
    goOn();
    await turns();
    await tick();
    expect(search.servers).to.equal(2);
    expect(countOf('a')).to.equal(1);
  });

  it('waits for the searches under way when it is stopped', async () => {
    let goOn = () => {};
    does.b = () => new Promise<void>((resolve) => (goOn = resolve));
    await tick();
    const stopped = search.stop();
    expect(await stateOf(stopped)).to.equal('pending');
    goOn();
    await stopped;
  });
});
