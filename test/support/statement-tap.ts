import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connectTo } from './proxy.ts';

/** A statement that was run. */
export interface Statement {
  text: string;
  /** Those of some of its runs, as they were sent; undefined for null. */
  runs: Parameters[];
}

type Parameters = readonly (string | undefined)[];

/** Runs of a statement that are kept. */
const MAX_RUNS = 50;

/** A way to a Postgres that notes the statements which pass, whichever process or thread they come from. */
export class StatementTap {
  /** By their texts. */
  readonly statements = new Map<string, Statement>();
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#connect(client));
  }

  static async start(url: string): Promise<StatementTap> {
    const tap = new StatementTap(new URL(url));
    tap.#server.listen(0, '127.0.0.1');
    await once(tap.#server, 'listening');
    return tap;
  }

  /** The URL of the database, by way of it. */
  get url(): string {
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #connect(client: Socket): void {
    const server = connectTo(this.#target);
    const note = this.#noteMessages();
    client.on('data', note);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}); // 'close' follows
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
  }

  /** Reads the messages of a connection: the one that starts it has no type, each of the others one byte for it. */
  #noteMessages(): (chunk: Buffer) => void {
    const texts = new Map<string, string>();
    let rest: Buffer = Buffer.alloc(0);
    let hasStarted = false;
    return (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const start = hasStarted ? 1 : 0;
        if (rest.length < start + 4) return;
        const end = start + rest.readUInt32BE(start);
        if (rest.length < end) return;
        if (hasStarted) this.#note(String.fromCharCode(rest[0] as number), rest.subarray(5, end), texts);
        hasStarted = true;
        rest = rest.subarray(end);
      }
    };
  }

  /** Parse has a statement's name and text, Bind its name and parameters, Query a text of one or several. */
  #note(type: string, content: Buffer, texts: Map<string, string>): void {
    if (type === 'Q') this.#add(readText(content, 0), []);
    else if (type === 'P') {
      const name = readText(content, 0);
      texts.set(name, readText(content, Buffer.byteLength(name) + 1));
    } else if (type === 'B') {
      const portal = readText(content, 0);
      const name = readText(content, Buffer.byteLength(portal) + 1);
      const formats = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
      const parameters = readParameters(content, formats + 2 + 2 * content.readUInt16BE(formats));
      this.#add(texts.get(name) as string, parameters);
    }
  }

  #add(text: string, parameters: Parameters): void {
    const statement = this.statements.get(text) ?? { text, runs: [] };
    this.statements.set(text, statement);
    if (statement.runs.length < MAX_RUNS) statement.runs.push(parameters);
  }
}

function readText(content: Buffer, from: number): string {
  return content.toString('utf8', from, content.indexOf(0, from));
}

function readParameters(content: Buffer, from: number): Parameters {
  let at = from + 2;
  return Array.from({ length: content.readUInt16BE(from) }, () => {
    const length = content.readInt32BE(at);
    at += 4 + Math.max(0, length);
    return length < 0 ? undefined : content.toString('utf8', at - length, at);
  });
}
