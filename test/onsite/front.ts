import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of a request to `/client/…`: it goes on to the service, gets no answer, or this status from a proxy. */
export type Fate = 'served' | 'lost' | 429 | 503;

export interface Sent {
  path: string;
  body: any;
}

/** What is between pages and the service: it sees every request of the script, and decides about them. */
export class Front {
  /** Decides about a request, by the number of those before it. */
  fate: (count: number) => Fate = () => 'served';
  readonly sent: Sent[] = [];
  #held: Promise<void> = Promise.resolve();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
  }

  static async start(target: string): Promise<Front> {
    const front = new Front(target);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  /** Lets requests wait, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    if (method === 'POST') {
      const fate = this.fate(this.sent.length);
      this.sent.push({ path: url, body: JSON.parse(body.toString()) });
      if (fate === 'lost') return void request.socket.destroy();
      if (fate !== 'served') {
        const exposed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
        return void response.writeHead(fate, { ...exposed, 'Retry-After': '1' }).end();
      }
    }
    await this.#held;
    const { host, connection, 'content-length': _, ...passed } = headers as Record<string, string>;
    const content = body.length > 0 ? { body } : {};
    const answer = await fetch(this.#target + url, { method, headers: passed, ...content });
    // Decoded by now.
    const kept = Array.from(answer.headers).filter(([name]) => !/^(content-(encoding|length)|connection)$/.test(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
  }
}
