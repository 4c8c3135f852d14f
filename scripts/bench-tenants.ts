/**
 * Measures how one store affects another: single events at a steady rate, alone and during each attack.
 *
 *   npm run bench:tenants -- [--tier standard] [--rate 200] [--seconds 15] [--only <part of a name>] [--json]
 *
 * `--tier` is that of the attacker's key. Fails if an event is refused.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { openOrm } from '../src/db/orm.ts';
import { ApiKeys } from '../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../src/domain/caller.ts';
import { ensureStore } from '../src/domain/stores.ts';
import { ATTACKS } from './bench/attacks.ts';
import { openBenchDatabase } from './bench/database.ts';
import { startRedis, usage } from './bench/processes.ts';
import { startService } from './bench/service.ts';

/** Milliseconds after which an event counts as failed. */
const PATIENCE_MS = 10_000;
/** Requests per minute by tier; the victim may send all it needs. */
const LIMITS: Record<string, number> = { standard: 700, high_volume: 1_000_000, partner: 3_500 };

exitWithHelpIfAsked(`Measures how attacks by one store affect another, which sends single events at a steady rate.

Usage: npm run bench:tenants -- [--tier standard] [--rate 200] [--seconds 15] [--only <part of a name>] [--json]`);

const { values: options } = parseArgs({
  options: {
    tier: { type: 'string', default: 'standard' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const { tier } = options;

interface Row {
  beside: string;
  /** Successful requests of the attack per second. */
  attack: number;
  sent: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
  /** Peak of the service's largest process so far, in MB. */
  memory: number;
}

/** Sends single events at a steady rate, whether or not the earlier ones have been responded to. */
async function sendSteadily(url: string, key: string): Promise<Omit<Row, 'beside' | 'attack' | 'memory'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const latencies: number[] = [];
  let failed = 0;
  const fail = () => {
    failed += 1;
  };
  const record = async (n: number) => {
    const start = performance.now();
    const request = httpRequest(`${url}/v1/events`, { method: 'POST', agent, headers, timeout: PATIENCE_MS });
    request.once('timeout', () => request.destroy(new Error('No answer came')));
    request.end(JSON.stringify({ event_type: 'visit', profile: { external_id: `c${n % 1_000}` } }));
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    latencies.push(performance.now() - start);
    if (response.statusCode !== 201) fail();
  };
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < seconds * Number(options.rate); n += 1) {
    const due = start + (n / Number(options.rate)) * 1000;
    if (due > performance.now()) await sleep(due - performance.now());
    sent.push(record(n).catch(fail));
  }
  await Promise.all(sent);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { sent: sent.length, failed, p50: at(0.5), p99: at(0.99), slowest: latencies.at(-1) ?? Number.NaN };
}

async function createKey(databaseUrl: string, store: string, tier: string): Promise<string> {
  const database = await openOrm(databaseUrl, 1);
  const storeId = await ensureStore(database, store);
  const { key } = await new ApiKeys(database).create({ storeId, name: store, scopes: [...SCOPES], tier });
  await database.orm.close(true);
  return key;
}

async function main(): Promise<void> {
  const database = await openBenchDatabase();
  const redis = await startRedis();
  const tiers = Object.entries(LIMITS).map((entry) => entry.join('='));
  const service = await startService(database.url, redis.url, { tiers: tiers.join(',') });
  const rows: Row[] = [];
  const measure = async (beside: string, succeeded: () => number = () => 0) => {
    const [start, before] = [performance.now(), succeeded()];
    const result = await sendSteadily(service.url, victim);
    const attack = ((succeeded() - before) / (performance.now() - start)) * 1000;
    rows.push({ beside, attack, ...result, memory: usage(service.process.pid).memory });
    if (!options.json) console.log(toLine(rows.at(-1) as Row));
  };
  const victim = await createKey(database.url, 'victim', 'high_volume');
  try {
    if (!options.json) console.log(HEADING);
    await sendSteadily(service.url, victim);
    await measure('nothing');
    for (const name of Object.keys(ATTACKS).filter((name) => name.includes(options.only))) {
      const key = await createKey(database.url, `attacker: ${name}`, tier);
      // A separate process: the attacker's work must not delay the victim's requests.
      const attacker = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const exited = once(attacker, 'exit');
      let succeeded = 0;
      attacker.on('message', (count: number) => {
        succeeded = count;
      });
      attacker.send({ name, url: service.url, key, rate: (LIMITS[tier] ?? 0) / 60 });
      await sleep(2_000);
      await measure(name, () => succeeded);
      attacker.kill();
      await exited;
      await sleep(3_000);
    }
    await measure('nothing, afterwards');
  } finally {
    await service.process.stop();
    await redis.stop();
    await database.close();
  }
  if (options.json) console.log(JSON.stringify(rows));
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

const HEADING =
  '| Beside | Attack /s | Events | Failed | p50 ms | p99 ms | Slowest ms | Peak MB |\n|---|--:|--:|--:|--:|--:|--:|--:|';

function toLine({ beside, attack, sent, failed, p50, p99, slowest, memory }: Row): string {
  const times = [p50, p99, slowest].map((ms) => ms.toFixed(1));
  return `| ${[beside, attack.toFixed(1), sent, failed, ...times, Math.round(memory)].join(' | ')} |`;
}

if (process.send) {
  let succeeded = 0;
  setInterval(() => process.send?.(succeeded), 200);
  const onSuccess = () => {
    succeeded += 1;
  };
  process.once('message', ({ name, ...attacker }: { name: string; url: string; key: string; rate: number }) =>
    ATTACKS[name]?.({ ...attacker, ended: new AbortController().signal, onSuccess }),
  );
} else {
  await main();
}
