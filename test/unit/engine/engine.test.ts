import { expect } from 'chai';
import { pino } from 'pino';
import type { Sql } from '../../../src/db/orm.ts';
import { undivided } from '../../../src/db/store-data.ts';
import { Engine, type EngineSetup } from '../../../src/engine/engine.ts';
import { until } from '../../support/process.ts';

describe('An engine', () => {
  it('is available once its thread can be started, and not while it cannot', async () => {
    const gate = new SharedArrayBuffer(4);
    const address: EngineSetup['address'] = { url: '', isDistributed: false };
    const work = {
      name: 'test',
      module: new URL('./refusing-thread.ts', import.meta.url),
      turn: 'turn at tests',
      find: async () => ['store'],
      rows: 'store',
      pauseMs: [1, 1] as const,
    };
    const engine = new Engine(work, {
      setup: { address, concurrency: 1, gate },
      stores: undivided({} as Sql),
      log: pino({ level: 'silent' }),
    });
    const tick = () => Promise.all(engine.periodic.map(({ run }) => run()));
    const isAvailable = async () => {
      await tick();
      return engine.isAvailable;
    };
    try {
      expect(engine.isAvailable).to.equal(true);
      await until(async () => !(await isAvailable()), 'it has tried to start');
      Atomics.store(new Int32Array(gate), 0, 1);
      await until(isAvailable, 'it has started');
    } finally {
      await engine.stop();
    }
  });
});
