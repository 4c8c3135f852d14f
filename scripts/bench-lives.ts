/**
 * Measures what the merge and the erasure of a customer with very many events cost another store.
 *
 *   npm run bench:lives -- [--events 1000000] [--seconds 10] [--turns 4] [--json]
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { Stage } from './bench/automations/stage.ts';
import { request } from './bench/catalog/requests.ts';
import { storeCustomer } from './bench/lives/customer.ts';
import { measureBeside, record } from './bench/lives/measure.ts';
import { type Report, toTables } from './bench/lives/report.ts';
import { startRedis } from './bench/processes.ts';
import { LISTENING, startService } from './bench/service.ts';

/** Seconds. */
const WARM_UP = 10;

exitWithHelpIfAsked(`Measures what it costs the recording of single events of another store when a customer with very many events
is merged into another one, who is erased then: each goes on and rests in turn. The rest of each is measured with nothing else to do.
Usage: npm run bench:lives -- [--events 1000000] [--seconds 10] [--turns 4] [--json]
  --events   of the customer; a tenth of them are orders
  --seconds  how long each load of events runs
  --turns    how often each load runs without the merge or the erasure, and with it
  --json     prints the report as JSON
It uses its own database, some 3 GB of it by default, and needs a redis-server on the PATH.`);

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    turns: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
  },
});
const events = Number(given.events);

const stage = await Stage.open();
const redis = await startRedis();
try {
  const [store, other] = [await stage.newStore(), await stage.newStore()];
  const from = await storeCustomer(stage, store, events);
  const service = await startService(stage.database.url, redis.url, { ready: LISTENING });
  try {
    const options = { stage, service, store, other, seconds: Number(given.seconds), turns: Number(given.turns) };
    const { id } = await request<{ id: string }>(service, store, '/v1/profiles/upsert', {
      identifiers: { external_id: 'stays' },
    });
    await record(options, 'warm-up', WARM_UP);
    const merge = () => request(service, store, `/v1/profiles/${id}/merge`, { from });
    const erase = () => request(service, store, '/v1/erasures', { profile_id: id });
    const report: Report = {
      ...{ node: process.version, cores: availableParallelism(), events },
      rows: [await measureBeside('profile_merge', merge, options), await measureBeside('erasure', erase, options)],
    };
    console.log(given.json ? JSON.stringify(report) : toTables(report));
  } finally {
    await service.process.stop();
  }
} finally {
  await redis.stop();
  await stage.close();
}
