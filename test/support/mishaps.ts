import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a request on its way: the connection ends before it gets to the service (`lose`), or after the service
 * has processed it, without an answer (`drop`) or in the midst of it (`cut`); nothing ever answers (`hang`); or something
 * else answers instead.
 */
export type Mishap =
  | 'lose'
  | 'drop'
  | 'cut'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: unknown };

/** A proxy before the service, with a mishap for each of the first requests. It remembers what it was sent. */
export class UnreliableProxy {
  readonly requests: { at: number; body: any }[] = [];
  readonly #server: Server;
  readonly #target: string;
  #mishaps: Mishap[] = [];

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    server.on('request', (request, response) => this.#handle(request, response));
  }

  static async start(target: string): Promise<UnreliableProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UnreliableProxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What is to happen to the next requests, one after the other; later ones pass. Forgets the earlier requests. */
  expect(...mishaps: Mishap[]): void {
    this.#mishaps = mishaps;
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const body = await buffer(request);
    this.requests.push({ at, body: body.length > 0 ? JSON.parse(body.toString()) : undefined });
    const mishap = this.#mishaps.shift();
    if (mishap === 'hang') return;
    if (mishap === 'lose') return void request.socket.destroy();
    if (typeof mishap === 'object') {
      const json = typeof mishap.body === 'string' ? mishap.body : JSON.stringify(mishap.body);
      response.writeHead(mishap.status, { 'Content-Type': 'application/json', ...mishap.headers }).end(json);
      return;
    }
    const { method = 'GET', headers } = request;
    const answer = await fetch(`${this.#target}${request.url}`, {
      method,
      headers: { Authorization: String(headers.authorization), 'Content-Type': 'application/json' },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (mishap === 'drop') return void request.socket.destroy();
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      'content-length': Buffer.byteLength(text),
    });
    if (mishap !== 'cut') return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  }
}
