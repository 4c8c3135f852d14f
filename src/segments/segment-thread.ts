import { openDatabase, SETTINGS_OF_JOBS } from '../db/orm.ts';
import { GenerationCache } from '../domain/segments/engine/segments.ts';
import { SegmentTurns } from '../domain/segments/engine/turn.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { SegmentThreadSetup, TurnAnswer, TurnQuestion } from './messages.ts';

serveThread<SegmentThreadSetup, TurnQuestion, TurnAnswer>(async ({ data, log }) => {
  const database = await openDatabase(data.address, data.concurrency, SETTINGS_OF_JOBS);
  const turns = new SegmentTurns({ generations: new GenerationCache(), log });
  const inFlight = new Set<Promise<TurnAnswer>>();

  async function take({ storeId }: TurnQuestion): Promise<TurnAnswer> {
    try {
      return { isMore: await turns.take(database.stores.of(storeId), storeId), failure: undefined };
    } catch (err) {
      log.warn({ err, store_id: storeId }, 'turn at segments interrupted');
      return { isMore: true, failure: (err as Error).message };
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
