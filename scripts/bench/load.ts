/**
 * Sends the requests of a scenario over persistent connections, one at a time on each, for a while, in a separate
 * process. It implements just enough HTTP, because it shares the cores with what it measures.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { scenarios } from './scenarios.ts';

/** Of whoever follows links: programs that give no name are no customers. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface Load {
  url: string;
  key: string;
  scenario: string;
  connections: number;
  seconds: number;
  /** Distinguishes the data of one run from that of another. */
  run: string;
  /** Of the scenario `links`: paths that are asked for, one after the other. */
  links?: readonly string[];
}

export interface Result {
  /** Successful requests, and what they acknowledge. */
  requests: number;
  items: number;
  /** Items per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Count of each other response, by its status or the error of the connection. */
  failures: Record<string, number>;
}

/** Seconds to warm up before measuring: V8 keeps optimising until about 100,000 requests were served. */
export const WARM_UP_SECONDS = 20;

/** Runs a load in a separate process. */
export async function generate(load: Load): Promise<Result> {
  const [result] = await generateTogether([load]);
  return result as Result;
}

/**
 * Runs loads at the same time: none begins before the requests of all are prepared. Rejects if a request was refused.
 */
export async function generateTogether(loads: readonly Load[]): Promise<Result[]> {
  const generators = await Promise.all(loads.map(prepare));
  const results = await Promise.all(generators.map((begin) => begin()));
  for (const [n, { failures }] of results.entries()) {
    if (Object.keys(failures).length > 0) throw new Error(`${loads[n]?.scenario}: ${JSON.stringify(failures)}`);
  }
  return results;
}

/** Starts a process that has prepared its requests; the returned function runs them. */
async function prepare(load: Load): Promise<() => Promise<Result>> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`The load generator ended with ${code}`);
  });
  const told = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  child.send(load);
  await told();
  return async () => {
    child.send('begin');
    return (await told()) as Result;
  };
}

/** Requests made in advance, so that making them costs nothing while the clock runs; as many as fit. */
const PREPARED = 100_000;
const PREPARED_BYTES = 128 * 1024 * 1024;

interface Requests {
  /** The status of success, and what it acknowledges. */
  status: number;
  items: number;
  make(n: number): string;
}

function requestsOf({ url, key, scenario: name, run, links }: Load): Requests {
  const { hostname } = new URL(url);
  if (links) {
    const make = (n: number) =>
      `GET ${links[n % links.length]} HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: ${BROWSER}\r\n\r\n`;
    return { status: 302, items: 1, make };
  }
  const scenario = scenarios(run)[name];
  if (!scenario) throw new Error(`There is no scenario ${name}`);
  const head = `POST ${scenario.path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const make = (n: number) => {
    const body = JSON.stringify(scenario.body(n));
    return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  return { status: scenario.status, items: scenario.items, make };
}

/** Prepares a load and returns the function that runs it. */
function prepareRun(load: Load): () => Promise<Result> {
  const { url, scenario: name, connections, seconds } = load;
  const { hostname, port } = new URL(url);
  const { status: expected, items: each, make: write } = requestsOf(load);
  let n = 0;
  const make = () => Buffer.from(write(n++));
  const prepared: Buffer[] = [];
  for (let bytes = 0; prepared.length < PREPARED && bytes < PREPARED_BYTES; bytes += prepared.at(-1)?.length ?? 0) {
    prepared.push(make());
  }
  const next = () => prepared.pop() ?? make();

  return async () => {
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
        onResponses(socket, (status) => {
          if (status === expected || (name === 'upsert' && status === 201)) {
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
    const items = latencies.length * each;
    return { requests: latencies.length, items, rate: items / elapsed, p50: at(0.5), p99: at(0.99), failures };
  };
}

/** Reports the status of each response on a connection, once all of it has arrived. */
function onResponses(socket: Socket, onStatus: (status: number) => void): void {
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
    if (missing <= 0) onStatus(status);
  });
}

if (process.send) {
  process.once('message', (load) => {
    const perform = prepareRun(load as Load);
    process.once('message', async () => {
      process.send?.(await perform(), undefined, undefined, () => process.disconnect?.());
    });
    process.send?.('prepared');
  });
}
