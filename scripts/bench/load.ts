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
  /** How often each other answer came: by status, or `closed`. */
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
const PREPARED = 2_000;

async function perform({ url, key, scenario: name, connections, seconds, run }: Load): Promise<Result> {
  const scenario = scenarios(run)[name];
  if (!scenario) throw new Error(`There is no scenario ${name}`);
  const { hostname, port } = new URL(url);
  const head = `POST ${scenario.path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const fail = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1;
  };
  let n = 0;
  const make = (): Buffer => {
    const body = JSON.stringify(scenario.body(n++));
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const prepared = Array.from({ length: scenario.items === 1 ? PREPARED : 2 * connections }, make);
  const isSuccess = (status: number) => status === scenario.status || (name === 'upsert' && status === 201);

  const start = performance.now();
  const end = start + seconds * 1000;
  const drive = async (socket: Socket): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
      socket.write(prepared.pop() ?? make());
      const status = await answer(socket);
      if (isSuccess(status)) latencies.push(performance.now() - sentAt);
      else fail(status === 0 ? 'closed' : String(status));
      if (status === 0) return;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, () => drive(connect(Number(port), hostname).setNoDelay())));
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  const items = latencies.length * scenario.items;
  return { requests: latencies.length, items, rate: items / elapsed, p50: at(0.5), p99: at(0.99), failures };
}

/** The status of the next answer on a connection; 0 where it closes instead. */
function answer(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    let missing = 0;
    const done = (result: number) => {
      socket.removeAllListeners();
      resolve(result);
    };
    socket.on('data', (chunk: Buffer) => {
      if (status > 0) {
        missing -= chunk.length;
      } else {
        // The head fits into the first chunk: the service writes it in one piece.
        const text = chunk.toString('latin1');
        const bodyAt = text.indexOf('\r\n\r\n') + 4;
        status = Number(text.slice(9, 12));
        missing = Number(/content-length: (\d+)/i.exec(text)?.[1]) - (chunk.length - bodyAt);
      }
      if (missing <= 0) done(status);
    });
    socket.once('error', () => done(0));
    socket.once('close', () => done(0));
  });
}

if (process.send) {
  process.once('message', async (load) => {
    const result = await perform(load as Load);
    process.send?.(result, undefined, undefined, () => process.disconnect?.());
  });
}
