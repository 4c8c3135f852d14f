/**
 * Sends the requests of a scenario over connections that stay open, one at a time on each, for a while; as a process of
 * its own. It speaks just enough HTTP, because it shares the cores with what it measures. Called by `generate`.
 */
import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { scenarios } from './scenarios.ts';

export interface Load {
  url: string;
  key: string;
  scenario: string;
  connections: number;
  seconds: number;
  /** Tells the data of one run from that of another. */
  run: string;
}

export interface Result {
  /** Requests that were answered with success, and what they acknowledge. */
  requests: number;
  items: number;
  /** Items for each second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** How often each other answer came, by its status, or the error of the connection. */
  failures: Record<string, number>;
}

/** Runs a load in a process of its own. */
export function generate(load: Load): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', (result) => resolve(result as Result));
    child.once('exit', (code) => reject(new Error(`The load generator ended with ${code}`)));
    child.send(load);
  });
}

/** Requests that are made beforehand, so that making them costs nothing while the clock runs. */
const PREPARED = 100_000;

async function perform({ url, key, scenario: name, connections, seconds, run }: Load): Promise<Result> {
  const scenario = scenarios(run)[name];
  if (!scenario) throw new Error(`There is no scenario ${name}`);
  const { hostname, port } = new URL(url);
  const head = `POST ${scenario.path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  let n = 0;
  const make = (): Buffer => {
    const body = JSON.stringify(scenario.body(n++));
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const prepared = Array.from({ length: scenario.items === 1 ? PREPARED : 2 * connections }, make);
  const next = () => prepared.pop() ?? make();

  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const start = performance.now();
  const end = start + seconds * 1000;
  const drive = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname).setNoDelay();
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        if (sentAt < end) socket.write(next());
        else socket.destroy();
      };
      onAnswers(socket, (status) => {
        if (status === scenario.status || (name === 'upsert' && status === 201)) {
          latencies.push(performance.now() - sentAt);
        } else {
          failures[status] = (failures[status] ?? 0) + 1;
        }
        send();
      });
      socket.once('connect', send);
      socket.once('error', ({ message }) => {
        failures[message] = (failures[message] ?? 0) + 1;
      });
      socket.once('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, drive));
  const elapsed = (performance.now() - start) / 1000;

  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  const items = latencies.length * scenario.items;
  return { requests: latencies.length, items, rate: items / elapsed, p50: at(0.5), p99: at(0.99), failures };
}

/** Tells the status of each answer on a connection, once all of it has come. */
function onAnswers(socket: Socket, tell: (status: number) => void): void {
  let status = 0;
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      // The head fits into the first chunk: servers write it in one piece.
      const bodyAt = chunk.indexOf('\r\n\r\n') + 4;
      const text = chunk.toString('latin1', 0, bodyAt);
      status = Number(text.slice(9, 12));
      missing = Number(/content-length: (\d+)/i.exec(text)?.[1]) - (chunk.length - bodyAt);
    }
    if (missing <= 0) tell(status);
  });
}

if (process.send) {
  process.once('message', async (load) => {
    const result = await perform(load as Load);
    process.send?.(result, undefined, undefined, () => process.disconnect?.());
  });
}
