import { extname } from 'node:path';
import type { Log } from '../process/log.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';
import type { ChunkAnswer, ChunkQuestion, ChunkThreadSetup } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 1_024;

/**
 * Processes chunks of bulk jobs in a separate thread: whatever they contain, the process keeps serving and can be
 * stopped. The thread starts with the first chunk.
 */
export class ChunkProcessor {
  readonly #setup: ChunkThreadSetup;
  readonly #log: Log;
  #thread: Promise<Thread<ChunkThreadSetup, ChunkQuestion, ChunkAnswer>> | undefined;
  #isStopped = false;

  constructor(setup: ChunkThreadSetup, log: Log) {
    this.#setup = setup;
    this.#log = log;
  }

  /** Makes an attempt. Rejects if the thread could not be started or has ended. */
  async process(question: ChunkQuestion): Promise<ChunkAnswer> {
    const thread = await this.#start();
    if (this.#isStopped) throw new ThreadEnded('The thread for bulk jobs has ended');
    return thread.ask(question);
  }

  /**
   * Waits some seconds at most for the attempts in progress: what is not committed then is done after the next start.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  #start(): Promise<Thread<ChunkThreadSetup, ChunkQuestion, ChunkAnswer>> {
    this.#thread ??= Thread.start<ChunkThreadSetup, ChunkQuestion, ChunkAnswer>({
      name: 'bulk jobs',
      module: new URL(`./chunk-thread${extname(import.meta.url)}`, import.meta.url),
      data: this.#setup,
      log: this.#log,
      maxMemory: MAX_MEMORY,
    }).catch((error) => {
      this.#thread = undefined;
      throw error;
    });
    return this.#thread;
  }
}
