import { exitWithHelpIfAsked, IS_RELEASE } from './command/help.ts';
import { fail, runUntilSignal } from './command/run-until-signal.ts';
import { readConfig } from './config.ts';
import { createLog } from './process/log.ts';
import { withProgress } from './process/progress.mjs';
import { openEngines, openStorage } from './storage.ts';

/** A process that processes bulk jobs and automations, and serves no requests. */
function main(): void {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  runUntilSignal(log, async () => {
    await using opened = new AsyncDisposableStack();
    const storage = await openStorage(config, log, opened, config.databasePoolSize, withProgress);
    await openEngines(config, storage, log);
    log.info({ concurrency: config.workerConcurrency }, 'processing bulk jobs and automations');
    const resources = opened.move();
    return { stop: () => resources.disposeAsync() };
  });
}

exitWithHelpIfAsked(`Runs bulk jobs and automations for services on the same database, without serving requests; stops on Ctrl-C.
Usage: ${IS_RELEASE ? 'npx footfall worker' : 'npm run worker'}
DATABASE_URL or DATA_DIR names the database, WORKER_CONCURRENCY the number of concurrent jobs, AUTOMATION_CONCURRENCY
the number of stores whose automations it works for at a time.
Settings are environment variables: see Configuration in README.md.`);

try {
  main();
} catch (error) {
  fail(error);
}
