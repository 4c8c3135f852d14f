import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../src/db/orm.ts';
import { keyOfText, Secrets } from '../../../src/domain/secrets/secrets.ts';
import { createEndpoint } from '../../../src/domain/webhooks/endpoints/endpoints.ts';
import { Networks } from '../../../src/domain/webhooks/endpoints/networks.ts';
import type { Stage, Store } from '../automations/stage.ts';

/** Settings with which this machine can receive. */
export const RECEIVABLE = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };

const RULES = { allowHttp: true, networks: new Networks(['127.0.0.1/32']) };
/** As versions before have stored it: this process does not know the key of the service. */
const IN_CLEAR = { secrets: new Secrets([keyOfText('unused')]), isSealing: () => false };
/** Deliveries of one statement. */
const STEP = 100_000;

export interface Caps {
  maxPerSecond: number;
  maxConcurrent: number;
}

export async function newEndpoint({ sql: db }: Stage, { id }: Store, url: string, caps: Caps): Promise<string> {
  return (await createEndpoint(db, id, { url, name: 'Receiver', ...caps }, { rules: RULES, secrets: IN_CLEAR }))
    .endpoint.id;
}

/** Queues deliveries as steps of automations do. `dueAt` is in terms of `n`, the number of the delivery from 1. */
export async function queue(
  db: Sql,
  { id: storeId }: Store,
  endpointId: string,
  count: number,
  dueAt: RawBuilder<unknown> = sql`now()`,
): Promise<void> {
  for (let from = 0; from < count; from += STEP) {
    await sql`
      insert into webhook_delivery (store_id, id, endpoint_id, run_id, seq, is_awaited, message_type, body, status,
        due_at, attempt, claim, created_at)
      select ${storeId}::uuid, uuidv7(), ${endpointId}::uuid, uuidv7(), 1, false, 'cart.abandoned',
        convert_to(format('{"type":"cart.abandoned","data":{"cart":"%s","text":"%s"}}', n, repeat('x', 300)), 'UTF8'),
        'pending', due_at, 0, 0, due_at
      from (
        select n, ${dueAt} as due_at from generate_series(${from + 1}::int, ${Math.min(from + STEP, count)}::int) n
      ) as seed`.execute(db);
  }
}

/** Milliseconds from when each delivery was due until it arrived. */
export async function delaysOf(
  db: Sql,
  { id }: Store,
  endpointIds: readonly string[],
  arrivals: ReadonlyMap<string, number>,
): Promise<number[]> {
  const { rows } = await sql<{ id: string; due: number }>`
    select id, (extract(epoch from created_at) * 1000)::float8 as due from webhook_delivery
    where store_id = ${id} and endpoint_id = any(${endpointIds as string[]}::uuid[])`.execute(db);
  return rows.map(({ id: delivery, due }) => {
    const arrivedAt = arrivals.get(delivery);
    if (arrivedAt === undefined) throw new Error(`The delivery ${delivery} did not arrive`);
    return arrivedAt - due;
  });
}
