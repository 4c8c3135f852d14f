/**
 * Measures segments in one run on this machine.
 *
 *   npm run bench:segments -- [--profiles 1000000] [--events 10000000] [--segments 50] [--seconds 60] [--turns 1]
 *     [--only evaluation,delays,floods,reading] [--json]
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { Stage } from './bench/automations/stage.ts';
import { storeHistory } from './bench/history.ts';
import { startRedis, usage } from './bench/processes.ts';
import { definitionOf } from './bench/segments/definitions.ts';
import {
  build,
  measureChanges,
  measureEvaluation,
  measureFloods,
  measureMemberPages,
  measurePreviews,
  measureTime,
} from './bench/segments/measures.ts';
import { type Report, toTables } from './bench/segments/report.ts';
import { LISTENING, startService } from './bench/service.ts';

/** Of events that lead to changes, per second, and for how many seconds. */
const STEADY = { rate: 1_000, seconds: 12 };
const [BATCHES, PREVIEWS, PAGES] = [20, 8, 500];
/** Segments of which each is built by itself; the others together. */
const BUILT_ALONE = 5;

exitWithHelpIfAsked(`Measures segments: how long one is built, how many customers are evaluated per second, how late members
follow events and time, and what segments cost the recording of events.
Usage: npm run bench:segments -- [--profiles 1000000] [--events 10000000] [--segments 50] [--seconds 60] [--turns 1]
         [--only evaluation,delays,floods,reading] [--json]
  --profiles, --events  the store's history, of a year
  --segments  how many the store has; they are built first, five one after the other and then the others together
  --seconds   how long each flood of events runs
  --turns     how often a flood runs without segments and with them
  --only      what to measure
  --json      prints the report as JSON
It uses its own database, some 10 GB of it by default, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    profiles: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '10000000' },
    segments: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    turns: { type: 'string', default: '1' },
    only: { type: 'string', default: 'evaluation,delays,floods,reading' },
    json: { type: 'boolean', default: false },
  },
});
const isAsked = (part: string) => options.only.split(',').includes(part);
const definitions = Array.from({ length: Number(options.segments) }, (_, n) => definitionOf(n));

const stage = await Stage.open();
const redis = await startRedis();
const report: Report = {
  node: process.version,
  cores: availableParallelism(),
  builds: [],
  evaluations: [],
  floods: [],
  delays: [],
  memory: 0,
};
try {
  const store = await stage.newStore();
  await storeHistory(stage.sql, store.id, { profiles: Number(options.profiles), events: Number(options.events) });
  if (isAsked('evaluation')) report.evaluations.push(await measureEvaluation(stage, store, definitions, BATCHES));
  const service = await startService(stage.database.url, redis.url, { ready: LISTENING });
  try {
    const ids: string[] = [];
    const groups = [...definitions.slice(0, BUILT_ALONE).map((one) => [one]), definitions.slice(BUILT_ALONE)];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const { ids: built, seconds } = await build(stage, service, store, group);
      ids.push(...built);
      report.builds.push({ segments: group.length, seconds });
      process.stderr.write(`built ${group.length} in ${seconds.toFixed(1)} s\n`);
    }
    // The first one asks for what the loads send, the second one for what the history has.
    const [ofSent, ofHistory] = ids as [string, string];
    if (isAsked('reading')) {
      report.delays.push(await measurePreviews(service, store, definitions.slice(0, PREVIEWS)));
      report.delays.push(await measureMemberPages(service, store, ofHistory, PAGES));
    }
    if (isAsked('delays')) {
      report.delays.push(await measureChanges(stage, service, store, { segmentId: ofSent, ...STEADY }));
      report.delays.push(await measureTime(stage, service, store, STEADY));
    }
    if (isAsked('floods')) {
      const flood = { seconds: Number(options.seconds), turns: Number(options.turns) };
      report.floods = await measureFloods(stage, service, store, flood);
    }
    report.memory = usage(service.process.pid).memory;
  } finally {
    await service.process.stop();
  }
  console.log(options.json ? JSON.stringify(report) : toTables(report));
} finally {
  await redis.stop();
  await stage.close();
}
