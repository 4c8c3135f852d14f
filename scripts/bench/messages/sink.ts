import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWERS: Record<string, string> = {
  EHLO: '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n',
  MAIL: '250 2.1.0 Sender\r\n',
  RCPT: '250 2.1.5 Recipient\r\n',
  DATA: '354 Go on\r\n',
  RSET: '250 2.0.0 Reset\r\n',
  QUIT: '221 2.0.0 Bye\r\n',
};
/** The end of a message. */
const END = Buffer.from('\r\n.\r\n');
const MESSAGE_ID = /^Message-ID: <([^@>]+)@/im;
/** Bytes of the head of a message, in which its id is. */
const HEAD = 8 * 1024;

/** What a sink tells: its port, or when each message arrived, `Date.now()`, by its id. */
type Told = { port: number } | { arrived: [id: string, at: number][] };

/** A server of mail in a process of its own that takes everything. It knows just enough SMTP, as it shares the cores. */
export class Sink implements AsyncDisposable {
  readonly port: number;
  /** When each message first arrived, by its id. */
  readonly arrivals = new Map<string, number>();
  /** Messages, repeated ones among them. */
  messages = 0;
  readonly #process: ReturnType<typeof fork>;

  private constructor(process: ReturnType<typeof fork>, port: number) {
    this.#process = process;
    this.port = port;
    process.on('message', (told: Told) => {
      if (!('arrived' in told)) return;
      this.messages += told.arrived.length;
      for (const [id, at] of told.arrived) if (!this.arrivals.has(id)) this.arrivals.set(id, at);
    });
  }

  static async start(): Promise<Sink> {
    const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [{ port }] = await once(child, 'message');
    return new Sink(child, port);
  }

  async untilArrived(count: number, patienceMs = 180_000): Promise<void> {
    const end = Date.now() + patienceMs;
    while (this.arrivals.size < count) {
      if (Date.now() > end) throw new Error(`${this.arrivals.size} of ${count} messages arrived`);
      await sleep(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }
}

/** Answers, and calls `onMessage` with the head of each message. */
function serve(socket: Socket, onMessage: (head: string) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  let isMessage = false;
  const read = (): boolean => {
    const end = rest.indexOf(isMessage ? END : '\r\n');
    if (end < 0) return false;
    const line = rest.toString('latin1', 0, Math.min(end, HEAD));
    rest = rest.subarray(end + (isMessage ? END.length : 2));
    if (isMessage) {
      onMessage(line);
      isMessage = false;
      socket.write('250 2.0.0 Taken\r\n');
    } else {
      const verb = line.slice(0, 4).toUpperCase();
      isMessage = verb === 'DATA';
      socket.write(ANSWERS[verb] ?? '502 5.5.1 What?\r\n');
      if (verb === 'QUIT') socket.end();
    }
    return true;
  };
  socket.setNoDelay();
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (read());
  });
  socket.write('220 sink.test\r\n');
}

/** Milliseconds after which arrivals are told, together. */
const TELL_MS = 20;

if (process.send) {
  let arrived: [string, number][] = [];
  const server = createServer((socket) =>
    serve(socket, (head) => arrived.push([MESSAGE_ID.exec(head)?.[1] ?? '', Date.now()])),
  );
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
  setInterval(() => {
    if (arrived.length > 0) process.send?.({ arrived });
    arrived = [];
  }, TELL_MS);
  process.once('disconnect', () => process.exit());
}
