import { extname } from 'node:path';
import { type DataServer, findOnEach, type StoreData } from '../db/store-data.ts';
import { type DueEndpoint, findDueEndpoints } from '../domain/sending/find-due.ts';
import type { Observe, Observed } from '../domain/sending/observed.ts';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import { WorkSearch } from '../threads/work-search.ts';
import type { SendAnswer, SenderSetup, SendQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;
/** Milliseconds before an endpoint is taken again whose turn has failed. */
const PAUSE_MS = 2_000;

export interface WebhookSenderOptions {
  setup: SenderSetup;
  stores: Pick<StoreData, 'servers'>;
  /** Whether the stores of a server that nobody may work on are held. */
  isChecked: (server: DataServer) => boolean;
  log: Log;
  observe: Observe;
}

/**
 * Sends webhooks, in a thread of its own, which starts with the first one. Each endpoint has its own turn, so that none
 * waits for another; several processes share the work.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #search: WorkSearch;
  /** Endpoints whose turn is on, or that have to wait for the next. */
  readonly #current = new Set<string>();
  readonly #thread: Thread<SenderSetup, SendQuestion, SendAnswer, Observed>;
  #isStopped = false;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    const { setup, stores, log, observe } = options;
    this.#thread = new Thread({
      name: 'webhooks',
      module: new URL(`./sender-thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
      onNotice: observe,
    });
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: 'webhooks not looked after', search });
  }

  /** Looks for endpoints that something is to be sent to, and begins their turns. */
  tick(): Promise<void> {
    return this.#search.tick();
  }

  /** Waits some seconds at most for the requests under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#search.stop();
    await this.#thread.stop();
  }

  async #find(server: DataServer): Promise<void> {
    if (!this.#options.isChecked(server)) return;
    for (const endpoint of await findOnEach(server, findDueEndpoints, 'webhook_delivery')) {
      if (this.#isStopped || this.#current.has(endpoint.endpointId)) continue;
      this.#current.add(endpoint.endpointId);
      void this.#take(endpoint);
    }
  }

  async #take({ storeId, endpointId }: DueEndpoint): Promise<void> {
    const { hasFailed } = await this.#ask({ storeId, endpointId });
    const free = () => this.#current.delete(endpointId);
    if (hasFailed) setTimeout(free, PAUSE_MS).unref();
    else free();
  }

  async #ask(question: SendQuestion): Promise<SendAnswer> {
    try {
      return await this.#thread.ask(question);
    } catch (err) {
      if (!this.#isStopped)
        this.#options.log.warn({ err, store_id: question.storeId }, 'sending of webhooks interrupted');
      return { hasFailed: true };
    }
  }
}
