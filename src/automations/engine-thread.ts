import { openDatabase, SETTINGS_OF_ENGINES } from '../db/orm.ts';
import { EmissionPace } from '../domain/automations/engine/emission-pace.ts';
import { KnownChains } from '../domain/automations/engine/known-chains.ts';
import { Turns } from '../domain/automations/engine/turn.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { EndpointQueues } from '../domain/webhooks/queue.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { EngineThreadSetup, RunsLost, TurnAnswer, TurnQuestion } from './messages.ts';

/** Transactions of one store at the same time. */
const CONNECTIONS = 2;

serveThread<EngineThreadSetup, TurnQuestion, TurnAnswer, RunsLost>(async ({ data, log, notify }) => {
  const database = await openDatabase(data.address, data.concurrency * CONNECTIONS, SETTINGS_OF_ENGINES);
  const turns = new Turns({
    versions: new VersionCache(),
    queues: new EndpointQueues(),
    log,
    now: Date.now,
    onFailed: (runs) => notify({ why: 'failed', runs }),
    onCut: (runs) => notify({ why: 'cut', runs }),
    pace: new EmissionPace(),
    chains: new KnownChains(),
  });
  const inFlight = new Set<Promise<TurnAnswer>>();

  async function take({ storeId }: TurnQuestion): Promise<TurnAnswer> {
    try {
      return { isMore: await turns.take(database.stores.of(storeId), storeId), failure: undefined };
    } catch (err) {
      log.warn({ err, store_id: storeId }, 'turn at automations interrupted');
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
