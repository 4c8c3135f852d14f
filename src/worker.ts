import { readConfig } from './config.ts';
import { IS_RELEASE, offerHelp } from './help.ts';
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

offerHelp(`Works at bulk jobs, beside services on the same database, and serves no requests; stops on Ctrl-C.
Usage: ${IS_RELEASE ? 'npx footfall worker' : 'npm run worker'}
DATABASE_URL or DATA_DIR names the database, and WORKER_CONCURRENCY how many jobs it works at at the same time.
Settings are environment variables: see Configuration in README.md.`);

try {
  main();
} catch (error) {
  fail(error);
}
