import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { CERTIFICATE, KEY } from './certificate.ts';

/** What a server is told: a connection (`CONNECT`), a verb, or the end of a message (`.`). */
export type Script = (verb: string, line: string, connection: Connection) => string | undefined | null;

/** What is answered where the script says nothing. */
const USUAL: Record<string, string> = {
  CONNECT: '220 mail.shop.example',
  EHLO: '250-mail.shop.example\r\n250-SIZE 100000\r\n250 8BITMIME',
  HELO: '250 mail.shop.example',
  MAIL: '250 2.1.0 Sender',
  RCPT: '250 2.1.5 Recipient',
  DATA: '354 Go on',
  '.': '250 2.0.0 Taken as 1234',
  RSET: '250 2.0.0 Reset',
  QUIT: '221 2.0.0 Bye',
  AUTH: '235 2.7.0 Welcome',
  STARTTLS: '220 2.0.0 Go on',
};

export interface Connection {
  socket: Socket;
  /** Calls something every few milliseconds, as long as there is a connection. */
  repeat(work: () => void): void;
}

/** A server of mail that answers what a script says: a text, null for nothing at all, undefined for what is usual. */
export class ScriptedServer implements AsyncDisposable {
  readonly verbs: string[] = [];
  readonly messages: string[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #script: Script;
  readonly #sockets = new Set<Socket>();
  readonly #timers: NodeJS.Timeout[] = [];

  private constructor(server: Server, script: Script, isSecure: boolean) {
    this.#server = server;
    this.#script = script;
    server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      this.#serve(isSecure ? this.#secure(socket) : socket, 'CONNECT');
    });
  }

  /** `isSecure`: encrypted from the start. */
  static async start(script: Script = () => undefined, isSecure = false): Promise<ScriptedServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server, script, isSecure);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends the connections that there are. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #secure(socket: Socket): TLSSocket {
    const secureContext = createSecureContext({ cert: CERTIFICATE, key: KEY });
    const secured = new TLSSocket(socket, { isServer: true, secureContext });
    secured.on('error', () => {});
    return secured;
  }

  #serve(socket: Socket, first?: string): void {
    const repeat = (work: () => void) => {
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : work()), 5);
      this.#timers.push(timer);
    };
    const connection = { socket, repeat };
    let [rest, isMessage] = ['', false];
    const react = (verb: string, line: string) => {
      this.verbs.push(verb);
      const said = this.#script(verb, line, connection);
      if (said === null) return;
      const text = said ?? USUAL[verb] ?? '502 5.5.1 What?';
      socket.write(`${text}\r\n`);
      if (verb === 'DATA') isMessage = text.startsWith('354');
      if (verb === 'QUIT') socket.end();
      if (verb === 'STARTTLS' && text.startsWith('220')) {
        socket.removeAllListeners('data');
        this.#serve(this.#secure(socket));
      }
    };
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (;;) {
        // A message without a line ends by its first one.
        const isEmpty = isMessage && rest.startsWith('.\r\n');
        const end = isEmpty ? 0 : rest.indexOf(isMessage ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (isEmpty ? 3 : isMessage ? 5 : 2));
        if (isMessage) {
          isMessage = false;
          this.messages.push(line);
          react('.', '.');
        } else react((line.split(' ')[0] ?? '').toUpperCase(), line);
      }
    });
    if (first) react(first, '');
  }
}
