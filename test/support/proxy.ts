import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const OPEN = Promise.resolve();

/** A connection through the proxy: of the client, and onwards. Its bytes wait for the gate. */
interface Link {
  sockets: readonly [Socket, Socket];
  gate: Promise<void>;
}

/** A network between a client and a server, which a test can disturb. */
export class TcpProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #links = new Set<Link>();
  #cut = false;
  #delayMs = 0;
  #hole: PromiseWithResolvers<void> | undefined;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#connect(client));
  }

  /** A way to the server of a URL; so far it does nothing but pass on. */
  static async start(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The URL of the server, by way of the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Resets every connection, and those to come. */
  cut(): void {
    this.#cut = true;
    this.#reset();
  }

  /** Adds to the time that bytes take, each way. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Lets connections stand, and nothing through. */
  blackHole(): void {
    this.#hole = Promise.withResolvers();
    for (const link of this.#links) link.gate = this.#hole.promise;
  }

  /** Ends every disturbance; what a black hole held back arrives, as TCP sends it again. */
  heal(): void {
    this.#cut = false;
    this.#delayMs = 0;
    this.#hole?.resolve();
    this.#hole = undefined;
  }

  /** Ends a black hole for new connections alone: nobody ever hears of the old ones again, as after a failover. */
  forget(): void {
    this.#hole = undefined;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#reset();
    await once(this.#server, 'close');
  }

  #reset(): void {
    for (const { sockets } of this.#links) {
      for (const socket of sockets) {
        // A local socket can't be reset, nor can one that is ending: the process would never exit.
        if (socket.remoteAddress && !socket.writableEnded) socket.resetAndDestroy();
        else socket.destroy();
      }
    }
  }

  #connect(client: Socket): void {
    if (this.#cut) {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const server = connectTo(this.#target);
    const link: Link = { sockets: [client, server], gate: this.#hole?.promise ?? OPEN };
    this.#links.add(link);
    this.#forward(link, client, server);
    this.#forward(link, server, client);
  }

  #forward(link: Link, from: Socket, to: Socket): void {
    let last = OPEN;
    const pass = (action: () => void) => {
      const due = performance.now() + this.#delayMs;
      last = last.then(async () => {
        const early = due - performance.now();
        if (early > 0) await sleep(early);
        await link.gate;
        action();
      });
    };
    from.setNoDelay(true);
    from.on('data', (chunk) => pass(() => to.write(chunk)));
    from.on('error', () => {}); // 'close' follows
    from.on('close', () => {
      pass(() => {
        to.destroy();
        this.#links.delete(link);
      });
    });
  }
}

/** A connection to the server of a URL, whose host may be the folder of its socket. */
export function connectTo({ hostname, port }: URL): Socket {
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(Number(port), host);
}
