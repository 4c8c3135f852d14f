import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

type Respond = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** A merchant's system: keeps what it receives, and answers 204 unless told otherwise. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  connections = 0;
  respond: Respond;
  readonly #server: Server;

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.respond = respond;
    server.on('connection', () => {
      this.connections += 1;
    });
    server.on('request', async (request, response) => {
      const body = await buffer(request).catch(() => undefined);
      if (!body) return;
      const received = { headers: request.headers, body: body.toString(), at: Date.now() };
      this.received.push(received);
      this.respond(response, received, request);
    });
  }

  static async start(
    respond: Respond = (response) => response.writeHead(204).end(),
    host = '127.0.0.1',
    port = 0,
  ): Promise<Receiver> {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    return new Receiver(server, respond);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Closes the connections that it has, as a receiver does that starts anew. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** A receiver that does anything with its connections, once the request has arrived. */
export class RawReceiver implements AsyncDisposable {
  readonly #server: TcpServer;
  readonly #sockets = new Set<Socket>();
  readonly #timers: NodeJS.Timeout[] = [];

  private constructor(server: TcpServer) {
    this.#server = server;
  }

  /** `repeat` calls something every few milliseconds, until the end. */
  static async start(onRequest: (socket: Socket, repeat: (work: () => void) => void) => void): Promise<RawReceiver> {
    const server = createTcpServer().listen(0, '127.0.0.1');
    const receiver = new RawReceiver(server);
    server.on('connection', (socket) => {
      receiver.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', () => onRequest(socket, (work) => receiver.#timers.push(setInterval(work, 5))));
    });
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Bytes that it has sent, over all connections. */
  get bytesSent(): number {
    return [...this.#sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
