import { compareSome } from '../domain/segments/comparison/compare.ts';
import { GenerationCache } from '../domain/segments/engine/generations.ts';
import { databaseClock, SegmentTurns } from '../domain/segments/engine/turn.ts';
import { type SegmentWork, WorkCount } from '../domain/segments/engine/work.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { type Perform, serveEngine } from '../engine/serve-engine.ts';

serveEngine<EngineSetup, SegmentWork>({
  connections: ({ concurrency }) => concurrency + 1,
  open({ log, notify }) {
    const tools = { generations: new GenerationCache(), log, work: new WorkCount() };
    const turns = new SegmentTurns(tools);
    const withNotice =
      (task: Perform): Perform =>
      (...args) =>
        task(...args).finally(() => notify(tools.work.take()));
    return {
      'turn at segments': withNotice((db, storeId) => turns.take(db, storeId)),
      'compare at segments': withNotice(async (db, storeId) => {
        const { isMore, drift } = await compareSome(db, storeId, { ...tools, now: await databaseClock(db) });
        tools.work.add({ drift });
        return isMore;
      }),
    };
  },
});
