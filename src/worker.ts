import { exitWithHelpIfAsked } from './command/help.ts';
import { fail, runUntilSignal } from './command/run-until-signal.ts';
import { readConfig } from './config.ts';
import { createLog } from './process/log.ts';
import { openStorage, openWorker } from './storage.ts';

/** A process that processes bulk jobs and serves no requests. */
function main(): void {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  runUntilSignal(log, async () => {
    await using opened = new AsyncDisposableStack();
    await openWorker(config, await openStorage(config, log, opened), log, opened);
    log.info({ concurrency: config.workerConcurrency }, 'working at bulk jobs');
    const resources = opened.move();
    return { stop: () => resources.disposeAsync() };
  });
}

exitWithHelpIfAsked(`Works at bulk jobs, beside services on the same database, and serves no requests; stops on Ctrl-C.
Usage: npm run worker
DATABASE_URL or DATA_DIR names the database, and WORKER_CONCURRENCY how many jobs it works at at the same time.
Settings are environment variables: see Configuration in README.md.`);

try {
  main();
} catch (error) {
  fail(error);
}
