import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came back on a connection. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Parsed where it is JSON. */
  body: any;
}

export interface Exchange {
  /** In their order; interim answers (1xx) are left out. */
  answers: Answer[];
  /** Whether the service closed the connection, rather than keeping it open after an answer. */
  closed: boolean;
}

/** Milliseconds without another answer after which none is expected on a connection that stays open. */
const QUIET_MS = 100;

/** Opens a connection to a service; what goes wrong with it later shows in what is read. */
export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

export interface Expectation {
  /** Answers after which the service may keep the connection open; 1 by default. */
  count?: number;
}

/** Sends bytes as they are on a connection of their own, and waits for the answers or the end. */
export async function exchange(url: string, bytes: string | Buffer, expectation?: Expectation): Promise<Exchange> {
  const socket = await open(url);
  const received = receive(socket, expectation);
  socket.write(bytes);
  return received;
}

/** What comes on a connection, which is closed then. */
export async function receive(socket: Socket, { count = 1 }: Expectation = {}): Promise<Exchange> {
  const chunks: Buffer[] = [];
  const state = { closed: false, changedAt: performance.now() };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    state.changedAt = performance.now();
  };
  socket.on('data', onData);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      state.closed = true;
      resolve();
    });
  });
  socket.once('end', () => socket.destroy());
  try {
    for (;;) {
      await Promise.race([ended, sleep(state.closed ? 0 : 20)]);
      const answers = parse(Buffer.concat(chunks), state.closed);
      if (state.closed) return { answers, closed: true };
      const isQuiet = performance.now() - state.changedAt > QUIET_MS;
      if (answers.length >= count && isQuiet) return { answers, closed: false };
    }
  } finally {
    socket.destroy();
  }
}

/** Every answer that is there in full; one that ends without the body that its length promises is that to a HEAD. */
function parse(bytes: Buffer, closed: boolean): Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(statusLine.split(' ')[1]);
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length && !(closed && body.length === 0)) break;
    if (status >= 200) answers.push({ status, headers, body: parseBody(body.toString(), headers) });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

function parseBody(text: string, headers: Record<string, string>): unknown {
  return text !== '' && /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text;
}
