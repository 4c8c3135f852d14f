import { clusterUrl } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { TestService } from '../support/service.ts';
import { aDayLater, createFormerDatabase } from './stage.ts';

describe('An upgrade by way of a pooler', () => {
  it('is completed', async function () {
    // There an index is made on all nodes in one go.
    if (clusterUrl()) this.skip();
    const database = await createFormerDatabase();
    const pooler = await startPgBouncer(this, database.url, { poolSize: 3 });
    const service = await TestService.start({ DATABASE_URL: pooler.url }, database);
    await aDayLater(new Client(service.url), database);
    await service.stopService();
    await pooler.stop();
    await database.drop();
  });
});
