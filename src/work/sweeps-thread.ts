import { SETTINGS_OF_JOBS } from '../db/orm.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { ERASED } from '../domain/erasures/sweep.ts';
import { MERGED } from '../domain/merges/sweep.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { sweepDue } from '../domain/sweeps/sweep.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './sweeps.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  settings: SETTINGS_OF_JOBS,
  open({ stores }) {
    const versions = new VersionCache();
    return {
      async 'turn at sweeps'(db, storeId) {
        const tools = { versions, addressDigest: await openAddressDigest(stores.shared) };
        const [erasing, merging] = [
          await sweepDue(db, storeId, ERASED, tools),
          await sweepDue(db, storeId, MERGED, tools),
        ];
        return erasing || merging;
      },
    };
  },
});
