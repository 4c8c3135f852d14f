/**
 * Measures automations in one run on this machine.
 *
 *   npm run bench:automations -- [--seconds 6] [--turns 2] [--only ingest,backlogs,delays] [--waiting 200000] [--json]
 *
 * Fails if an event that was acknowledged has not started its run.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { measureStarts, measureSteps } from './bench/automations/backlogs.ts';
import { measureLateness, measureStartDelays } from './bench/automations/delays.ts';
import { measureIngest } from './bench/automations/ingest.ts';
import { type Report, toTables } from './bench/automations/report.ts';
import { Stage } from './bench/automations/stage.ts';
import { type Started, startRedis, usage } from './bench/processes.ts';
import { LISTENING, startService } from './bench/service.ts';

const RATE = 1_000;
const PROCESSES = [1, 2];

exitWithHelpIfAsked(`Measures automations: what they cost the recording of events, how many runs start and steps are taken per
second, and how late.
Usage: npm run bench:automations -- [--seconds 6] [--turns 2] [--only ingest,backlogs,delays] [--waiting 200000] [--json]
  --seconds  how long each load runs
  --turns    how often each load runs without automations and with them
  --only     what to measure
  --items    runs of a backlog
  --waiting  runs that wait while timers are measured
  --json     prints the report as JSON
It uses its own database, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    turns: { type: 'string', default: '2' },
    only: { type: 'string', default: 'ingest,backlogs,delays' },
    items: { type: 'string', default: '40000' },
    waiting: { type: 'string', default: '200000' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const turns = Number(options.turns);
const items = Number(options.items);
const waiting = Number(options.waiting);
const isAsked = (part: string) => options.only.split(',').includes(part);

const stage = await Stage.open();
const redis = await startRedis();
const report: Report = {
  node: process.version,
  cores: availableParallelism(),
  ingest: [],
  rates: [],
  delays: [],
  memory: { peak: 0, end: 0 },
};

/** Runs some work beside a service. */
async function besideService(
  settings: NodeJS.ProcessEnv,
  work: (service: Awaited<ReturnType<typeof startService>>) => Promise<void>,
) {
  const service = await startService(stage.database.url, redis.url, { ready: LISTENING, settings });
  try {
    await work(service);
  } finally {
    await service.process.stop();
  }
}

function noteMemory({ pid }: Started): void {
  const { memory: peak, memoryNow: end } = usage(pid);
  report.memory = { peak: Math.max(report.memory.peak, peak), end };
}

try {
  if (isAsked('backlogs')) {
    await besideService({ AUTOMATION_CONCURRENCY: '0', WORKERS: '1' }, async (service) => {
      for (const processes of PROCESSES) {
        report.rates.push(await measureStarts(stage, service, processes, items));
        report.rates.push(await measureSteps(stage, processes, items / 2));
      }
    });
  }
  await besideService({}, async (service) => {
    if (isAsked('ingest')) report.ingest = await measureIngest(stage, service, { seconds, turns });
    if (isAsked('delays')) {
      report.delays.push(await measureStartDelays(stage, service, { rate: RATE, seconds: seconds * 2 }));
      for (const others of new Set([0, waiting])) {
        report.delays.push(await measureLateness(stage, { rate: RATE, seconds: seconds * 2, waiting: others }));
      }
    }
    noteMemory(service.process);
  });
  console.log(options.json ? JSON.stringify(report) : toTables(report));
} finally {
  await redis.stop();
  await stage.close();
}
