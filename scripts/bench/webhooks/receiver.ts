import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A merchant's system that answers after some milliseconds; or never, if there are none. */
export class BenchReceiver implements AsyncDisposable {
  /** When each delivery first arrived, by its id; `Date.now()`. */
  readonly arrivals = new Map<string, number>();
  /** Requests, repeated ones among them. */
  requests = 0;
  readonly #server: Server;

  private constructor(answerMs: number | undefined) {
    this.#server = createServer((request, response) => {
      this.requests += 1;
      const id = String(request.headers['webhook-id']);
      if (!this.arrivals.has(id)) this.arrivals.set(id, Date.now());
      request.resume();
      if (answerMs !== undefined) setTimeout(() => response.writeHead(204).end(), answerMs);
    });
  }

  static async start(answerMs: number | undefined): Promise<BenchReceiver> {
    const receiver = new BenchReceiver(answerMs);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async untilArrived(count: number, patienceMs = 120_000): Promise<void> {
    const end = Date.now() + patienceMs;
    while (this.arrivals.size < count) {
      if (Date.now() > end) throw new Error(`${this.arrivals.size} of ${count} deliveries arrived`);
      await sleep(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
