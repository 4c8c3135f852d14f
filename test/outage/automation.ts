import type { Database } from '../../src/db/orm.ts';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { createAutomation } from '../../src/domain/automations/drafts.ts';
import { publishAutomation } from '../../src/domain/automations/publish.ts';
import { type Caller, SCOPES } from '../../src/domain/caller.ts';
import { keyOfText, Secrets } from '../../src/domain/secrets/secrets.ts';
import { createEndpoint } from '../../src/domain/webhooks/endpoints/endpoints.ts';
import { Networks } from '../../src/domain/webhooks/endpoints/networks.ts';
import type { TestDatabase } from '../support/postgres.ts';
import type { Received } from '../webhooks/support/receiver.ts';

/** What the marks of events begin with that start a run: all of those sent one by one, some in bulk and of jobs. */
const KINDS = ['k0', 'k3w0n1', 'k6w0n1'];

/** Runs that send a webhook are those of one client of five: not all of the load is theirs, and there are always some. */
const SENDING = 'w1n';

/**
 * A run for each event of those kinds, which changes the profile and emits an event, waits, sends a webhook where its mark
 * is one of those, and emits another event.
 */
const definitionFor = (endpointId: string): Definition => ({
  name: 'Thank for visits',
  trigger: {
    type: 'event',
    event_type: 'visit',
    filter: { any: KINDS.map((value) => ({ property: 'mark', op: 'starts_with', value })) },
  },
  reentry: { mode: 'every_time', per: 'profile' },
  start: 'tag',
  steps: [
    { id: 'tag', type: 'set_profile', set: { visited: { from: 'event.properties.mark' } }, next: 'thank' },
    {
      id: 'thank',
      type: 'emit_event',
      event_type: 'thanked',
      properties: { visit: { from: 'event.properties.mark' } },
      next: 'pause',
    },
    { id: 'pause', type: 'delay', for: 'PT1S', next: 'whether' },
    {
      id: 'whether',
      type: 'branch',
      cases: [{ when: { property: 'mark', op: 'contains', value: SENDING }, next: 'tell' }],
      else: 'part',
    },
    {
      id: 'tell',
      type: 'send_webhook',
      endpoint_id: endpointId,
      message_type: 'visit.thanked',
      data: { visit: { from: 'event.properties.mark' } },
      await: true,
      next: 'part',
    },
    {
      id: 'part',
      type: 'emit_event',
      event_type: 'parted',
      properties: { visit: { from: 'event.properties.mark' } },
      next: null,
    },
  ],
});

/** As versions before have stored it: this process does not know the key of the service. */
const IN_CLEAR = { secrets: new Secrets([keyOfText('unused')]), isSealing: () => false };
const RECEIVABLE = { allowHttp: true, networks: new Networks(['127.0.0.1/32']) };

/** Publishes an automation that many of the writers' events start, and that sends webhooks to a URL. */
export async function publishForVisits(database: Database, storeId: string, keyId: string, url: string): Promise<void> {
  const input = { url, name: 'Receiver', maxPerSecond: 1_000, maxConcurrent: 50 };
  const { endpoint } = await createEndpoint(database.sql, storeId, input, { rules: RECEIVABLE, secrets: IN_CLEAR });
  const caller = { storeId, actor: { kind: 'key', id: keyId }, scopes: new Set<string>(SCOPES) } as unknown as Caller;
  const { id, revision } = await createAutomation(database.sql, caller, definitionFor(endpoint.id));
  await publishAutomation(database.sql, caller, { id, revision, inFlight: 'keep' });
}

/** Whether all events have been read and all runs have ended. */
export async function haveRunsEnded(database: TestDatabase, storeId: string): Promise<boolean> {
  const [{ open } = { open: true }] = await database.query<{ open: boolean }>(`
    select exists (select from automation_run where store_id = '${storeId}' and status = 'active')
      or exists (select from addition where store_id = '${storeId}' and position is null)
      or exists (
        select from feed_reader r join feed_head h using (store_id)
        where store_id = '${storeId}' and r.name = 'automations' and r.entry < h.position
      ) as open`);
  return !open;
}

/** Has what was under way in a process that has ended be sent by another now, instead of after half a minute or more. */
export async function endLeases(database: TestDatabase, storeId: string): Promise<void> {
  await database.query(`
    update webhook_delivery set due_at = now()
    where store_id = '${storeId}' and status = 'sending' and due_at < now() + interval '40 seconds'`);
}

/** Runs whose webhook has not arrived, or with more than one id or body; each with what is wrong. */
export async function auditWebhooks(
  database: TestDatabase,
  storeId: string,
  received: readonly Pick<Received, 'headers' | 'body'>[],
): Promise<unknown[]> {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  const rows = await database.query<{ run: string; deliveries: string[]; statuses: string[] }>(`
    select r.id as run, array_remove(array_agg(d.id::text), null) as deliveries,
      array_remove(array_agg(d.status), null) as statuses
    from automation_run r
    join event v on v.store_id = r.store_id and v.id::text = r.trigger_id
    left join webhook_delivery d on d.store_id = r.store_id and d.run_id = r.id
    where r.store_id = '${storeId}' and v.properties ->> 'mark' like '%${SENDING}%'
    group by r.id`);
  if (rows.length === 0) return ['no run has sent anything'];
  return rows.filter(({ deliveries, statuses }) => {
    const [id = ''] = deliveries;
    return deliveries.length !== 1 || statuses[0] !== 'delivered' || bodies.get(id)?.size !== 1;
  });
}

/** Events that have not been dealt with exactly once, each with what is wrong. */
export async function auditRuns(database: TestDatabase, storeId: string): Promise<unknown[]> {
  const isOfKind = KINDS.map((kind) => `v.properties ->> 'mark' like '${kind}%'`).join(' or ');
  return database.query(`
    select v.id, v.properties ->> 'mark' as mark, count(distinct r.id)::int as runs,
      count(distinct e.id) filter (where e.event_type = 'thanked')::int as thanked,
      count(distinct e.id) filter (where e.event_type = 'parted')::int as parted,
      string_agg(distinct r.status || ' ' || coalesce(r.reason, ''), ',') as ended,
      (select string_agg(reason, ',') from automation_skip s where s.store_id = v.store_id and s.trigger_id = v.id::text)
        as skipped
    from event v
    left join automation_run r on r.store_id = v.store_id and r.trigger_id = v.id::text
    left join event e on e.store_id = v.store_id and e.source -> 'automation' ->> 'run_id' = r.id::text
    where v.store_id = '${storeId}' and v.event_type = 'visit' and (${isOfKind})
    group by v.store_id, v.id, v.properties ->> 'mark'
    having count(distinct r.id) <> 1 or string_agg(distinct r.reason, ',') <> 'completed'
      or count(distinct e.id) filter (where e.event_type = 'thanked') <> 1
      or count(distinct e.id) filter (where e.event_type = 'parted') <> 1
    limit 10`);
}
