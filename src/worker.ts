import { readConfig } from './config.ts';
import { createLog } from './log.ts';
import { opening } from './releasers.ts';
import { fail, run } from './run.ts';
import { openStorage, openWorker } from './storage.ts';

/** A process that works at bulk jobs and serves no requests. */
function main(): void {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  run(log, () =>
    opening(async (releasers) => {
      await openWorker(config, await openStorage(config, log, releasers), log, releasers);
      log.info({ concurrency: config.workerConcurrency }, 'working at bulk jobs');
      return { stop: () => releasers.release() };
    }),
  );
}

try {
  main();
} catch (error) {
  fail(error);
}
