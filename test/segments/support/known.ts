import { IDENTIFIERS, type Identifier } from '../../../src/domain/conditions/condition.ts';
import type { KnownEvent, KnownProfile } from '../../../src/domain/segments/core/naive.ts';
import type { SegmentRoom } from './room.ts';

interface Row {
  id: string;
  attributes: string;
  created: number;
}

type Known = KnownProfile & { events: KnownEvent[]; lists: Map<string, number>; segments: Map<string, number> };

/** Reads all that a store knows of its customers, each table by itself. */
export async function readKnown(room: SegmentRoom): Promise<Map<string, Known>> {
  const query = <One>(text: string) => room.service.database.query<One>(text.replaceAll('$store', `'${room.storeId}'`));
  const known = new Map<string, Known>();
  const profiles = await query<Row & Record<Identifier, string | null>>(
    `select id, attributes::text as attributes, extract(epoch from created_at) * 1000 as created, email, phone,
      external_id, anonymous_id, source_id from profile where store_id = $store`,
  );
  for (const row of profiles) {
    known.set(row.id, {
      id: row.id,
      attributes: JSON.parse(row.attributes),
      identifiers: Object.fromEntries(IDENTIFIERS.flatMap((kind) => (row[kind] === null ? [] : [[kind, row[kind]]]))),
      createdAt: Number(row.created),
      events: [],
      consents: {},
      lists: new Map(),
      segments: new Map(),
    });
  }
  for (const row of await query<{
    id: string;
    eventId: string;
    type: string;
    at: string;
    properties: string;
    isFromClient: boolean;
  }>(
    `select profile_id as id, id as "eventId", event_type as type, extract(epoch from occurred_at) * 1000 as at,
      properties::text as properties, coalesce(source ->> 'client', '') = 'true' as "isFromClient"
      from event where store_id = $store`,
  )) {
    const { eventId, type: eventType, at, properties, isFromClient: fromClient } = row;
    const event = { id: eventId, eventType, occurredAt: Number(at), properties: JSON.parse(properties), fromClient };
    known.get(row.id)?.events.push(event);
  }
  for (const row of await query<{ id: string; channel: string; status: string; suppressed: boolean }>(
    `select profile_id as id, channel, status, suppressed_at is not null as suppressed from consent
      where store_id = $store`,
  ))
    Object.assign(known.get(row.id)?.consents ?? {}, { [row.channel]: row });
  for (const row of await query<{ id: string; list: string; since: number }>(
    `select profile_id as id, list_id as list, extract(epoch from joined_at) * 1000 as since from list_member where store_id = $store`,
  ))
    known.get(row.id)?.lists.set(row.list, Number(row.since));
  return known;
}
