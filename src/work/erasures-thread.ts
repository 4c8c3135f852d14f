import { SETTINGS_OF_JOBS } from '../db/orm.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { sweepErasures } from '../domain/erasures/sweep.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './erasures.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  settings: SETTINGS_OF_JOBS,
  open({ stores }) {
    const versions = new VersionCache();
    return {
      'turn at erasures': async (db, storeId) =>
        await sweepErasures(db, storeId, { versions, addressDigest: await openAddressDigest(stores.shared) }),
    };
  },
});
