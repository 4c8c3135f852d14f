import { extname } from 'node:path';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import type { ChunkAnswer, ChunkQuestion, ChunkThreadSetup } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 1_024;

/**
 * Processes chunks of bulk jobs in a separate thread: whatever they contain, the process keeps serving and can be
 * stopped. The thread starts with the first chunk.
 */
export class ChunkProcessor {
  readonly #thread: Thread<ChunkThreadSetup, ChunkQuestion, ChunkAnswer>;

  constructor(setup: ChunkThreadSetup, log: Log) {
    this.#thread = new Thread({
      name: 'bulk jobs',
      module: new URL(`./chunk-thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
    });
  }

  /** Makes an attempt. Rejects if the thread could not be started or has ended. */
  process(question: ChunkQuestion): Promise<ChunkAnswer> {
    return this.#thread.ask(question);
  }

  /**
   * Waits some seconds at most for the attempts in progress: what is not committed then is done after the next start.
   */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
