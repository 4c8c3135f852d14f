import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Identifier } from '../../conditions/condition.ts';
import type { KnownEvent, KnownProfile } from '../core/naive.ts';

/** Events of one customer, beyond which they are not compared; and bytes of all that is read at a time. */
const [MAX_EVENTS, MAX_BYTES] = [10_000, 8 * 1024 * 1024];

type Known = KnownProfile & { events: KnownEvent[]; lists: Map<string, number>; segments: Map<string, number> };

/** The first of some customers as far as they fit into memory: `ids` without those who are too large by themselves. */
export async function thatFit(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  maxEvents: number,
): Promise<{ reached: number; ids: string[] }> {
  const { rows } = await sql<{ events: number; bytes: number }>`
    select e.events::float8 as events, (e.bytes + p.bytes)::float8 as bytes
    from unnest(${uuids(ids)}::uuid[]) with ordinality as w (id, n)
    cross join lateral (
      select coalesce(sum(octet_length(attributes::text)), 0) as bytes
      from (
        select attributes from profile where store_id = ${storeId} and ${exactly('id', 'w.id')} order by id limit 1
      ) as one
    ) p
    cross join lateral (
      select count(*) as events, coalesce(sum(octet_length(properties::text)), 0) as bytes
      from (
        select properties from event
        where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
        order by profile_id, occurred_at, id limit ${MAX_EVENTS + 1}
      ) as own
    ) e
    order by w.n`.execute(tx);
  const fitting: string[] = [];
  let [events, bytes] = [0, 0];
  for (const [i, id] of ids.entries()) {
    const row = rows[i] ?? { events: 0, bytes: 0 };
    if (row.events > MAX_EVENTS || row.bytes > MAX_BYTES) continue;
    events += row.events;
    bytes += row.bytes;
    if (fitting.length > 0 && (events > maxEvents || bytes > MAX_BYTES)) return { reached: i, ids: fitting };
    fitting.push(id);
  }
  return { reached: ids.length, ids: fitting };
}

/**
 * Reads all that is known of customers, each table by itself, with the members that serve. Everything is asked for in the
 * order of an index that begins with what is known, so that no plan reads a table whole.
 */
export async function readFacts(tx: Sql, storeId: string, ids: readonly string[], lists: readonly string[]) {
  const wanted = sql`unnest(${uuids(ids)}::uuid[]) as w (id)`;
  const { rows: profiles } = await sql<
    { id: string; attributes: RawJson; createdAt: number } & Record<Identifier, string | null>
  >`
    select p.* from ${wanted}
    cross join lateral (
      select id, attributes, email, phone, external_id, anonymous_id, source_id,
        (extract(epoch from created_at) * 1000)::float8 as "createdAt"
      from profile where store_id = ${storeId} and ${exactly('id', 'w.id')}
      order by id limit 1
    ) p`.execute(tx);
  const facts = new Map(
    profiles.map(({ id, attributes, createdAt, ...identifiers }): [string, Known] => [
      id,
      {
        id,
        attributes: attributes.parse(),
        identifiers: Object.fromEntries(Object.entries(identifiers).filter(([, value]) => value !== null)),
        createdAt,
        events: [],
        consents: {},
        lists: new Map(),
        segments: new Map(),
      },
    ]),
  );
  const { rows: events } = await sql<{
    id: string;
    profileId: string;
    type: string;
    at: number;
    properties: RawJson;
    isFromClient: boolean;
  }>`
    select e.* from ${wanted}
    cross join lateral (
      select id, profile_id as "profileId", event_type as type, (extract(epoch from occurred_at) * 1000)::float8 as at, properties,
        coalesce(source ->> 'client', '') = 'true' as "isFromClient"
      from event where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
      order by profile_id, occurred_at, id limit ${MAX_EVENTS}
    ) e`.execute(tx);
  for (const { id, profileId, type: eventType, at: occurredAt, properties, isFromClient: fromClient } of events) {
    facts.get(profileId)?.events.push({ id, eventType, occurredAt, properties: properties.parse(), fromClient });
  }
  const { rows: consents } = await sql<{ profileId: string; channel: string; status: string; suppressed: boolean }>`
    select c.* from ${wanted}
    cross join lateral (
      select profile_id as "profileId", channel, status, suppressed_at is not null as suppressed
      from consent where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
      order by profile_id, channel offset 0
    ) c`.execute(tx);
  for (const { profileId, channel, ...consent } of consents) {
    Object.assign(facts.get(profileId)?.consents ?? {}, { [channel]: consent });
  }
  const { rows: ofLists } = await sql<{ profileId: string; id: string; since: number }>`
    select l.* from ${wanted}
    cross join unnest(${texts(lists)}::text[]::uuid[]) as one (list_id)
    cross join lateral (
      select profile_id as "profileId", list_id as id, (extract(epoch from joined_at) * 1000)::float8 as since
      from list_member
      where store_id = ${storeId} and list_id = one.list_id and ${exactly('profile_id', 'w.id')}
      order by list_id, profile_id limit 1
    ) l`.execute(tx);
  for (const { profileId, id, since } of ofLists) facts.get(profileId)?.lists.set(id, since);
  const { rows: members } = await sql<{ profileId: string; id: string; since: number }>`
    select m."profileId", m.id, m.since from ${wanted}
    cross join lateral (
      select profile_id as "profileId", segment_id as id, generation,
        (extract(epoch from entered_at) * 1000)::float8 as since
      from segment_member where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
      order by profile_id, segment_id, generation offset 0
    ) m
    join segment s on s.store_id = ${storeId} and s.id = m.id and s.generation = m.generation`.execute(tx);
  for (const { profileId, id, since } of members) facts.get(profileId)?.segments.set(id, since);
  return facts;
}
