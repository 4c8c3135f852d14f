/**
 * Measures the catalog in one run on this machine.
 *
 *   npm run bench:catalog -- [--items 1000000] [--loaded 50000] [--seconds 10] [--turns 3] [--only loading,ingest,starts,reading] [--json]
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { Stage } from './bench/automations/stage.ts';
import { measureIngest } from './bench/catalog/ingest.ts';
import { measureLoading } from './bench/catalog/loading.ts';
import { measureReading } from './bench/catalog/reading.ts';
import { type Report, toTables } from './bench/catalog/report.ts';
import { measureStarts } from './bench/catalog/starts.ts';
import { startRedis } from './bench/processes.ts';
import { LISTENING, startService } from './bench/service.ts';

const PARTS = 'loading,ingest,starts,reading';
/** Items that come back, per second. */
const RATE = 20;

exitWithHelpIfAsked(`Measures the catalog: how many items are written per second in bulk, what it costs to load them once more
when nothing has changed, what a catalog costs the recording of orders that name its items, how long it takes from a change of
stock to the run that it starts, and how long searches among many items and recommendations take.
Usage: npm run bench:catalog -- [--items 1000000] [--loaded 50000] [--seconds 10] [--turns 3] [--only ${PARTS}] [--json]
  --items    how many there are to be searched
  --loaded   how many are written in bulk
  --seconds  how long each load of events runs
  --turns    how often each load of events runs without a catalog and with one
  --only     what to measure
  --json     prints the report as JSON
It uses its own database, some 2 GB of it by default, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    loaded: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '10' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: PARTS },
    json: { type: 'boolean', default: false },
  },
});
const isAsked = (part: string) => options.only.split(',').includes(part);

const stage = await Stage.open();
const redis = await startRedis();
const report: Report = {
  ...{ node: process.version, cores: availableParallelism() },
  ...{ loading: [], ingest: undefined, starts: [], reading: [] },
};
try {
  const service = await startService(stage.database.url, redis.url, { ready: LISTENING, settings: { WORKERS: '1' } });
  try {
    if (isAsked('loading')) report.loading = await measureLoading(stage, service, Number(options.loaded));
    if (isAsked('ingest')) {
      const load = { seconds: Number(options.seconds), turns: Number(options.turns) };
      report.ingest = await measureIngest(stage, service, load);
    }
    if (isAsked('starts')) {
      report.starts = [await measureStarts(stage, service, { rate: RATE, seconds: Number(options.seconds) })];
    }
    if (isAsked('reading')) report.reading = await measureReading(stage, service, Number(options.items));
  } finally {
    await service.process.stop();
  }
  console.log(options.json ? JSON.stringify(report) : toTables(report));
} finally {
  await redis.stop();
  await stage.close();
}
