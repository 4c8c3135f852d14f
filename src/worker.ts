import { readConfig } from './config.ts';
import { offerHelp } from './help.ts';
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
      log.info({ concurrency: config.workerConcurrency }, 'processing bulk jobs');
      return { stop: () => releasers.release() };
    }),
  );
}

offerHelp(`Runs bulk jobs for services on the same database, without serving requests; stops on Ctrl-C.
Usage: npm run worker
DATABASE_URL or DATA_DIR names the database, WORKER_CONCURRENCY the number of concurrent jobs.
Settings are environment variables: see Configuration in README.md.`);

try {
  main();
} catch (error) {
  fail(error);
}
