import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { starting } from '../automations/definitions.ts';
import { type Delays, type Steady, toDelays } from '../automations/delays.ts';
import type { Stage, Store } from '../automations/stage.ts';
import type { Target } from '../service.ts';
import { request } from './requests.ts';

/** Items that come back before those that are measured. */
const WARM_UP = 20;
/** Seconds until the last run has to have started. */
const PATIENCE = 60;

/** From the response to the stock of an item that is there again until the run of who waited for it is committed. */
export async function measureStarts(stage: Stage, service: Target, { rate, seconds }: Steady): Promise<Delays> {
  const store = await stage.newStore();
  await stage.publish(store, {
    ...starting('visit'),
    trigger: { type: 'catalog', change: 'back_in_stock', audience: { subscribed: true } },
  });
  const count = WARM_UP + rate * seconds;
  const items = Array.from({ length: count }, (_, n) => ({ id: `I-${n}`, title: `Sencha ${n}`, stock: 0 }));
  for (let from = 0; from < count; from += 1_000) {
    await request(service, store, '/v1/catalog/items/bulk', { items: items.slice(from, from + 1_000) });
  }
  const customers: string[] = [];
  for (const { id } of items) {
    const profile = { external_id: `c-${id}` };
    await request(service, store, '/v1/profiles/upsert', { identifiers: profile });
    const body = { profile, item_id: id, kind: 'back_in_stock' };
    const { profile_id } = await request<{ profile_id: string }>(service, store, '/v1/catalog/subscriptions', body);
    customers.push(profile_id);
  }
  const comeBack = async (n: number) => {
    await request(service, store, '/v1/catalog/stock', { updates: [{ item_id: `I-${n}`, stock: 9 }] });
    return Date.now();
  };
  for (let n = 0; n < WARM_UP; n += 1) await comeBack(n);
  await untilStarted(stage, store, WARM_UP);
  const responses = new Map<string, number>();
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (let n = WARM_UP; n < count; n += 1) {
    await sleep(Math.max(0, start + ((n - WARM_UP) / rate) * 1_000 - performance.now()));
    sent.push(comeBack(n).then((at) => void responses.set(customers[n] as string, at)));
  }
  await Promise.all(sent);
  await untilStarted(stage, store, count);
  const { rows } = await sql<{ profileId: string; at: number }>`
    select r.profile_id as "profileId", (extract(epoch from pg_xact_commit_timestamp(s.xmin)) * 1000)::float8 as at
    from automation_run r
    join automation_step s on s.store_id = r.store_id and s.run_id = r.id and s.seq = 1
    where r.store_id = ${store.id}`.execute(stage.sql);
  const delays = rows.flatMap(({ profileId, at }) => {
    const respondedAt = responses.get(profileId);
    return respondedAt === undefined ? [] : [Math.max(0, at - respondedAt)];
  });
  return toDelays(`stock to run, ${rate}/s`, delays);
}

async function untilStarted(stage: Stage, { id }: Store, runs: number): Promise<void> {
  for (const end = performance.now() + PATIENCE * 1_000; performance.now() < end; await sleep(250)) {
    const { rows } = await sql<{ started: number }>`
      select count(*)::int as started from automation_run where store_id = ${id}`.execute(stage.sql);
    if ((rows[0]?.started ?? 0) >= runs) return;
  }
  throw new Error(`${runs} items that came back have not started as many runs`);
}
