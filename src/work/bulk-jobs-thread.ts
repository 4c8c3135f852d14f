import { SETTINGS_OF_JOBS } from '../db/orm.ts';
import { JobTurns, type Processed } from '../domain/imports/turn.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';

serveEngine<EngineSetup, Processed>({
  // One extra, for the partitions that an import may need.
  connections: ({ concurrency }) => concurrency + 1,
  settings: SETTINGS_OF_JOBS,
  open({ log, notify, stopping }) {
    const turns = new JobTurns({ log, observe: notify, stopping });
    return { 'turn at bulk jobs': (db, storeId) => turns.take(db, storeId) };
  },
});
