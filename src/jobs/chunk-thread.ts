import { isOutage } from '../db/driver-errors.ts';
import { openDatabase, SETTINGS_OF_JOBS } from '../db/orm.ts';
import { processImport } from '../domain/customer-imports/process-import.ts';
import { processNextChunk } from '../domain/imports/process-chunk.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { ChunkAnswer, ChunkQuestion, ChunkThreadSetup } from './messages.ts';

serveThread<ChunkThreadSetup, ChunkQuestion, ChunkAnswer>(async ({ data, log }) => {
  // One extra, for the partitions that an import may need.
  const database = await openDatabase(data.address, data.concurrency + 1, SETTINGS_OF_JOBS);
  const inFlight = new Set<Promise<ChunkAnswer>>();

  async function attempt(question: ChunkQuestion): Promise<ChunkAnswer> {
    const process = question.kind === 'customers' ? processImport : processNextChunk;
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      return {
        items: await process(database.stores.of(question.storeId), question),
        seconds: seconds(),
        failure: undefined,
      };
    } catch (err) {
      log.warn({ err, job_id: question.jobId, attempt: question.number }, 'import interrupted');
      return { items: 0, seconds: seconds(), failure: isOutage(err) ? 'outage' : 'job' };
    }
  }

  return {
    async answer(question) {
      const running = attempt(question);
      inFlight.add(running);
      const answer = await running;
      inFlight.delete(running);
      return { answer };
    },
    async stop() {
      await Promise.all(inFlight);
      await database.close();
    },
  };
});
