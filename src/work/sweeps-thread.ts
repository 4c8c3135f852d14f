import { SETTINGS_OF_JOBS } from '../db/orm.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { ERASED } from '../domain/erasures/sweep.ts';
import { MERGED } from '../domain/merges/sweep.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { sweepDue } from '../domain/sweeps/sweep.ts';
import { RightOfWay, type YieldingSetup } from '../engine/right-of-way.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './sweeps.ts';

serveEngine<YieldingSetup>({
  connections: () => CONNECTIONS,
  settings: SETTINGS_OF_JOBS,
  open({ data, stores }) {
    const versions = new VersionCache();
    const way = new RightOfWay(data.requestLoad);
    return {
      async 'turn at sweeps'(db, storeId) {
        const tools = { versions, addressDigest: await openAddressDigest(stores.shared) };
        const [erasing, merging] = [
          await sweepDue(db, storeId, ERASED, tools, way),
          await sweepDue(db, storeId, MERGED, tools, way),
        ];
        return erasing || merging;
      },
    };
  },
});
