import type { Database } from '../../src/db/orm.ts';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { createAutomation } from '../../src/domain/automations/drafts.ts';
import { publishAutomation } from '../../src/domain/automations/publish.ts';
import { type Caller, SCOPES } from '../../src/domain/caller.ts';
import type { TestDatabase } from '../support/postgres.ts';

/** What the marks of events begin with that start a run: all of those sent one by one, some in bulk and of jobs. */
const KINDS = ['k0', 'k3w0n1', 'k6w0n1'];

/** A run for each event of those kinds, which changes the profile and emits an event, waits, and emits another one. */
const DEFINITION: Definition = {
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
    { id: 'pause', type: 'delay', for: 'PT1S', next: 'part' },
    {
      id: 'part',
      type: 'emit_event',
      event_type: 'parted',
      properties: { visit: { from: 'event.properties.mark' } },
      next: null,
    },
  ],
};

/** Publishes an automation that many of the writers' events start. */
export async function publishForVisits(database: Database, storeId: string, keyId: string): Promise<void> {
  const caller = { storeId, keyId, scopes: new Set<string>(SCOPES) } as unknown as Caller;
  const { id, revision } = await createAutomation(database.sql, storeId, DEFINITION);
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
