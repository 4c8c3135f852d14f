import { isOutage } from '../db/driver-errors.ts';
import { openDatabase, SETTINGS_OF_JOBS } from '../db/orm.ts';
import type { Attempt } from '../domain/imports/bulk/attempts.ts';
import { processNextChunk } from '../domain/imports/bulk/process-chunk.ts';
import { processImport } from '../domain/imports/files/process-import.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { Attempted, BulkJobsSetup } from './bulk-job-turns.ts';

serveThread<BulkJobsSetup, Attempt, Attempted>(async ({ data, log }) => {
  // One extra, for the partitions that an import may need.
  const database = await openDatabase(data.address, data.concurrency + 1, SETTINGS_OF_JOBS);
  return {
    async answer(attempt) {
      const process = attempt.kind === 'customers' ? processImport : processNextChunk;
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      try {
        const items = await process(database.stores.of(attempt.storeId), attempt);
        return { answer: { items, seconds: seconds(), failure: undefined } };
      } catch (err) {
        log.warn({ err, job_id: attempt.jobId, attempt: attempt.number }, 'import interrupted');
        return { answer: { items: 0, seconds: seconds(), failure: isOutage(err) ? 'outage' : 'job' } };
      }
    },
    stop: () => database.close(),
  };
});
