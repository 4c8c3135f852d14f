import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { maxJsonbBytes } from '../../../db/json-size.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import { byProfile, plain, type Section, sizeOf, timeOf, times } from '../section.ts';

export const PROFILE: Section = {
  name: 'profile',
  columns: {
    ...plain('id', 'external_id', 'email', 'phone', 'anonymous_id', 'source_id', 'attributes'),
    ...times('created_at', 'updated_at'),
  },
  key: { id: 'uuid' },
  rows: ({ storeId, profileId }) =>
    sql`select t.* from profile t where t.store_id = ${storeId} and t.id = ${profileId}`,
  bytes: maxJsonbBytes('attributes'),
  findsAll: true,
  isSingle: true,
};

export const IDENTIFIERS: Section = {
  name: 'identifiers',
  columns: plain('kind', 'value'),
  key: { kind: 'text', value: 'text' },
  rows: ({ storeId }, id) => sql`
    select t.* from profile_identifier t
    where t.store_id = ${storeId} and t.profile_id = ${id} and t.profile_id > ${sql.lit(LOWEST_ID)}`,
};

/** What is told of a merge, as `getMerge` names it, by the names under which it is kept. */
const MERGE_CHANGES = {
  ...{ identifiers: 'identifiers', filled_attributes: 'filled', lost_attributes: 'lost', consent: 'consent' },
  ...{ suppressed_channels: 'suppressed', joined_list_ids: 'joined', left_list_ids: 'left' },
  ...{ moved_run_count: 'movedRuns', ended_run_count: 'endedRuns', skipped_message_count: 'skippedMessages' },
};
const MERGED_PROFILE = {
  ...{ id: 'id', external_id: 'externalId', email: 'email', phone: 'phone', anonymous_id: 'anonymousId' },
  ...{ source_id: 'sourceId', attributes: 'attributes' },
};

/** Of a merge the other customer is this one too. */
export const MERGES: Section = {
  name: 'merges',
  columns: {
    ...plain('id', 'profile_id', 'from_id'),
    ...times('created_at', 'completed_at'),
    changes: renamed(sql`r.changes`, MERGE_CHANGES),
    before: sql`case when r.before is not null then json_build_object(
      'profile', ${profileAsItWas('profile')},
      'from', ${profileAsItWas('from')}
    ) end`,
    ...plain('counts'),
  },
  key: { from_id: 'uuid' },
  rows: ({ storeId, profileId }, _id, from) => sql`
    select t.* from profile_alias o
    cross join lateral (select * from profile_merge where store_id = ${storeId} and from_id = o.id offset 0) t
    where o.store_id = ${storeId} and o.profile_id = ${profileId}
      ${from === undefined ? sql`` : sql`and o.id >= ${from}::uuid`}`,
  bytes: sizeOf('changes', 'before'),
  findsAll: true,
};

export const ATTRIBUTE_CHANGES: Section = {
  name: 'attribute_changes',
  columns: { ...plain('id'), ...times('changed_at'), ...plain('changes') },
  key: { id: 'uuid' },
  rows: ({ storeId, profileId, formerIds }) => sql`
    select t.* from profile_change t
    where t.store_id = ${storeId} and t.profile_id = any(${uuids([profileId, ...formerIds])}::uuid[])`,
  bytes: maxJsonbBytes('changes'),
  isScanned: 'profile_change',
};

export const HISTORY: Section = {
  name: 'history',
  columns: {
    ...plain('id'),
    ...times('changed_at'),
    ...plain('surface', 'operation', 'actor', 'created', 'attributes', 'identifiers'),
  },
  key: { id: 'uuid' },
  rows: byProfile('profile_history'),
  bytes: sql`${maxJsonbBytes('attributes')} + ${maxJsonbBytes('identifiers')}`,
};

export const NOTES: Section = {
  name: 'notes',
  columns: { ...plain('id', 'text'), ...times('created_at') },
  key: { id: 'uuid' },
  rows: byProfile('profile_note'),
};

export const EVENTS: Section = {
  name: 'events',
  columns: {
    ...plain('id', 'event_type'),
    ...times('occurred_at', 'received_at'),
    ...plain('idempotency_key', 'properties', 'source'),
  },
  key: { occurred_at: 'timestamptz', id: 'uuid' },
  rows: byProfile('event'),
  bytes: sizeOf('properties', 'source'),
};

export const CONSENT: Section = {
  name: 'consent',
  columns: {
    ...plain('channel', 'status'),
    ...times('changed_at'),
    ...plain('source'),
    ...times('suppressed_at'),
    ...plain('suppression_reason'),
  },
  key: { channel: 'text' },
  rows: byProfile('consent'),
};

export const CONSENT_OF_LISTS: Section = {
  name: 'list_consent',
  columns: { ...plain('channel', 'list_id', 'list_name', 'status'), ...times('changed_at') },
  key: { channel: 'text', list_id: 'text' },
  rows: byProfile('consent_list'),
};

export const CONSENT_CHANGES: Section = {
  name: 'consent_changes',
  columns: {
    ...plain('id', 'channel', 'kind', 'list_id'),
    ...times('changed_at', 'recorded_at'),
    ...plain('source', 'reason', 'applied', 'from_client'),
  },
  key: { id: 'uuid' },
  rows: byProfile('consent_change'),
};

export const CONFIRMATIONS: Section = {
  name: 'confirmations',
  columns: {
    ...plain('message_id', 'list_id', 'address', 'source'),
    ...times('asked_at'),
    confirmed_at: timeOf(sql`r.confirmed_at`),
  },
  key: { asked_at: 'timestamptz', message_id: 'uuid' },
  rows: byProfile('list_confirmation'),
};

function profileAsItWas(side: 'profile' | 'from'): RawBuilder<unknown> {
  const profile = sql`r.before -> ${sql.lit(side)}`;
  const time = (name: string) => timeOf(sql`to_timestamp((${profile} ->> ${sql.lit(name)})::float8 / 1000)`);
  return renamed(profile, MERGED_PROFILE, { created_at: time('created'), updated_at: time('updated') });
}

/** An object with the members of another one under other names, and with others. */
function renamed(
  object: RawBuilder<unknown>,
  names: Readonly<Record<string, string>>,
  others: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  const kept = Object.entries(names).map(([name, former]) => [name, sql`${object} -> ${sql.lit(former)}`] as const);
  const members = [...kept, ...Object.entries(others)].map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
  return sql`json_build_object(${sql.join(members)})`;
}
