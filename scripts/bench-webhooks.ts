/**
 * Measures the sending of webhooks in one run on this machine.
 *
 *   npm run bench:webhooks -- [--seconds 8] [--only throughput,hanging,caps,ingest] [--queued 1000000] [--json]
 *
 * Fails if a delivery that was queued does not arrive.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { Stage } from './bench/automations/stage.ts';
import { startRedis } from './bench/processes.ts';
import { LISTENING, startService } from './bench/service.ts';
import { RECEIVABLE } from './bench/webhooks/deliveries.ts';
import { measureCap, measureHanging, measureIngest, measureThroughput } from './bench/webhooks/measures.ts';
import { type Report, toTables } from './bench/webhooks/report.ts';

const ENDPOINTS = [1, 10];
const CAPS = [5, 40, 200];

exitWithHelpIfAsked(`Measures the sending of webhooks: how many per second, how late while one of ten endpoints hangs, how exactly
the most per second of an endpoint is kept by two processes, and what very many that wait cost the recording of events.
Usage: npm run bench:webhooks -- [--seconds 8] [--only throughput,hanging,caps,ingest] [--queued 1000000] [--json]
  --seconds  how long each load runs
  --only     what to measure
  --queued   deliveries that wait while events are recorded
  --json     prints the report as JSON
It uses its own database, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: 'throughput,hanging,caps,ingest' },
    queued: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
  },
});
const [seconds, queued] = [Number(options.seconds), Number(options.queued)];
const isAsked = (part: string) => options.only.split(',').includes(part);

const stage = await Stage.open();
try {
  const report: Report = {
    node: process.version,
    cores: availableParallelism(),
    throughput: [],
    hanging: undefined,
    caps: [],
    ingest: undefined,
  };
  if (isAsked('throughput')) {
    for (const endpoints of ENDPOINTS) {
      report.throughput.push(await measureThroughput(stage, endpoints, 500 * seconds));
    }
  }
  if (isAsked('hanging')) report.hanging = await measureHanging(stage, seconds);
  if (isAsked('caps')) for (const asked of CAPS) report.caps.push(await measureCap(stage, asked, 2 * seconds));
  if (isAsked('ingest')) {
    const redis = await startRedis();
    const service = await startService(stage.database.url, redis.url, { ready: LISTENING, settings: RECEIVABLE });
    try {
      report.ingest = await measureIngest(stage, service, queued, seconds);
    } finally {
      await service.process.stop();
      await redis.stop();
    }
  }
  console.log(options.json ? JSON.stringify(report) : toTables(report));
} finally {
  await stage.close();
}
