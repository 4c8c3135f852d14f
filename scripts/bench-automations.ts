import { parseArgs } from 'node:util';
import { measureStarts, measureSteps } from './bench/automations/backlogs.ts';
import { Stage } from './bench/automations/stage.ts';
import { startRedis } from './bench/processes.ts';
import { startService, TIERS } from './bench/service.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'starts,steps' },
    processes: { type: 'string', default: '1' },
    n: { type: 'string', default: '40000' },
  },
});
const only = options.only.split(',');
const stage = await Stage.open();
const redis = await startRedis();
try {
  for (const processes of options.processes.split(',').map(Number)) {
    if (only.includes('starts')) {
      const service = await startService(stage.database.url, redis.url, undefined, TIERS, {
        AUTOMATION_CONCURRENCY: '0',
        WORKERS: '1',
      });
      const promise = measureStarts(stage, service, processes, Number(options.n));
      console.log(await promise);
      await service.process.stop();
    }
    if (only.includes('steps')) console.log(await measureSteps(stage, processes, Number(options.n) / 4));
  }
} finally {
  await redis.stop();
  await stage.close();
}
