import { openDatabase, SETTINGS_OF_ENGINES } from '../db/orm.ts';
import { compareSome } from '../domain/segments/comparison/compare.ts';
import { databaseClock } from '../domain/segments/engine/database-clock.ts';
import { GenerationCache } from '../domain/segments/engine/generations.ts';
import { SegmentTurns } from '../domain/segments/engine/turn.ts';
import { WorkCount } from '../domain/segments/engine/work.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { SegmentThreadSetup, TurnAnswer, TurnQuestion } from './messages.ts';

serveThread<SegmentThreadSetup, TurnQuestion, TurnAnswer>(async ({ data, log }) => {
  const database = await openDatabase(data.address, data.concurrency + 1, SETTINGS_OF_ENGINES);
  const tools = { generations: new GenerationCache(), log, work: new WorkCount() };
  const turns = new SegmentTurns(tools);
  const inFlight = new Set<Promise<TurnAnswer>>();

  async function take({ storeId, task }: TurnQuestion): Promise<TurnAnswer> {
    try {
      const db = database.stores.of(storeId);
      if (task === 'turn')
        return { isMore: await turns.take(db, storeId), failure: undefined, work: tools.work.take() };
      const { isMore, drift } = await compareSome(db, storeId, { ...tools, now: await databaseClock(db) });
      tools.work.add({ drift });
      return { isMore, failure: undefined, work: tools.work.take() };
    } catch (err) {
      log.warn({ err, store_id: storeId }, `${task} at segments interrupted`);
      return { isMore: true, failure: (err as Error).message, work: tools.work.take() };
    }
  }

  return {
    async answer(question) {
      const taking = take(question);
      inFlight.add(taking);
      const answer = await taking;
      inFlight.delete(taking);
      return { answer };
    },
    async stop() {
      await Promise.all(inFlight);
      await database.close();
    },
  };
});
