import { EmissionPace } from '../domain/automations/engine/emission-pace.ts';
import { KnownChains } from '../domain/automations/engine/known-chains.ts';
import { Turns } from '../domain/automations/engine/turn.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { messageQueues } from '../domain/messages/core/queue.ts';
import { historySetting } from '../domain/profile-history/history-setting.ts';
import { EndpointQueues } from '../domain/webhooks/deliveries/queue.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import type { RunsLost } from './automations.ts';

/** Transactions of one store at the same time. */
const CONNECTIONS = 2;

serveEngine<EngineSetup, RunsLost>({
  connections: ({ concurrency }) => concurrency * CONNECTIONS,
  open({ log, notify, stores }) {
    const turns = new Turns({
      versions: new VersionCache(),
      queues: new EndpointQueues(),
      messageQueues: messageQueues(),
      keepsHistory: historySetting(stores.shared),
      log,
      now: Date.now,
      onFailed: (runs) => notify({ why: 'failed', runs }),
      onCut: (runs) => notify({ why: 'cut', runs }),
      pace: new EmissionPace(),
      chains: new KnownChains(),
    });
    return { 'turn at automations': (db, storeId) => turns.take(db, storeId) };
  },
});
