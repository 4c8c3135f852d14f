import { expect } from 'chai';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { Sql } from '../../src/db/orm.ts';
import type { Caller, Scope } from '../../src/domain/caller.ts';
import { readConsentHistory, readConsents } from '../../src/domain/consent/read-consents.ts';
import { readChanges } from '../../src/domain/feed/changes.ts';
import { listImportedProfiles } from '../../src/domain/imports/bulk/imported-profiles.ts';
import { JOB_STATUSES, listImportJobs } from '../../src/domain/imports/bulk/list-jobs.ts';
import { listImports, listRowErrors } from '../../src/domain/imports/files/find-imports.ts';
import { encode, timeCursor } from '../../src/domain/reading/cursor.ts';
import { countByInterval } from '../../src/domain/reading/event-stats.ts';
import { findEvent, readEvents } from '../../src/domain/reading/events.ts';
import { boundariesOf } from '../../src/domain/reading/intervals.ts';
import { KeyNames } from '../../src/domain/reading/key-names.ts';
import type { ProfileSearch } from '../../src/domain/reading/profile-conditions.ts';
import { lastEventTimes, searchProfiles } from '../../src/domain/reading/profile-search.ts';
import { findProfile, findProfiles, readProfiles } from '../../src/domain/reading/profiles.ts';
import { findProfilesByName } from '../../src/domain/reading/profiles-by-name.ts';
import { readRejections } from '../../src/domain/reading/rejections.ts';
import { findBySourceIds } from '../../src/domain/reading/source-ids.ts';
import { search as searchStore } from '../../src/domain/search/search.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

const STORE = '01936b2e-0000-7000-8000-000000000001';
const EVENTS = 120_000;
const caller: Caller = {
  storeId: STORE,
  actor: { kind: 'key', id: STORE },
  windowId: STORE,
  scopes: new Set(),
  tier: 'standard',
  expiresAt: null,
  country: null,
  keepsHistory: false,
};
const page = { limit: 50, cursor: undefined };
const ALL_AT_ONCE = { items: 500, bytes: 1_000_000, milliseconds: 60_000 };
/** As the service has it: one plan, whatever the parameters, and no table is read whole because it is small today. */
const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** Large tables. What has just been counted is small, and read as a whole. */
const LARGE = /^(event_(?!count_new)|profile|rejection|addition|import|customer_import|consent)/;

describe('Statements that read', () => {
  let database: TestDatabase;
  let db: Sql;
  let profileId: string;
  let eventId: string;
  let jobId: string;
  const statements: CompiledQuery[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    for (const statement of SEED) await database.query(statement);
    const log = (event: { query: CompiledQuery }): void => {
      // Of transactions, what is within them.
      if (!/^(?:begin|commit)$/.test(event.query.sql)) statements.push(event.query);
    };
    db = new Kysely({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url, max: 1, options }) }),
      log,
    });
    const { rows } = await sql<{ id: string; profile_id: string }>`
      select id, profile_id from event where store_id = ${STORE} limit 1`.execute(db);
    [{ id: eventId, profile_id: profileId }] = rows as [{ id: string; profile_id: string }];
    const [job] = await database.query<{ id: string }>(`select id from import_job where kind = 'profiles' limit 1`);
    jobId = (job as { id: string }).id;
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });
  beforeEach(() => {
    statements.length = 0;
  });

  const from = new Date(Date.now() - 20 * 86_400_000);
  const to = new Date(Date.now() - 10 * 86_400_000);
  const changedFrom = new Date(Date.now() - 12 * 86_400_000);
  const search = (given: Partial<ProfileSearch>, cursor?: string) => {
    const all: ProfileSearch = { identifiers: [], created: {}, updated: {}, order: 'created', descending: false };
    return searchProfiles(db, caller, { ...all, ...given }, { ...page, cursor });
  };
  const searchAll = (text: string, scopes: Scope[]) =>
    searchStore(db, { ...caller, scopes: new Set(scopes) }, { text, address: text, limit: 20, knowsNames: true });
  const emails = Array.from({ length: 100 }, (_, n) => `user${n}@example.com`);
  const property = { name: 'sku', value: 'nothing' };
  const oldestFirst = { latestFirst: false, maxBytes: 4_000_000 };
  const jobs = { kind: 'profiles', latestFirst: true } as const;
  /** What each reads, and how many rows of a large table it may look at for that. */
  const reads: Record<string, [most: number, read: () => Promise<unknown>]> = {
    'an event': [10, () => findEvent(db, caller, eventId)],
    events: [200, () => readEvents(db, caller, {}, page)],
    'events of a time': [200, () => readEvents(db, caller, { from, to }, page)],
    'events of a type': [200, () => readEvents(db, caller, { eventType: 'type3', from, to }, page)],
    'events of a profile': [200, () => readEvents(db, caller, { profileId }, page)],
    'events, oldest first': [200, () => readEvents(db, caller, {}, page, oldestFirst)],
    'events of a time, oldest first': [200, () => readEvents(db, caller, { from, to }, page, oldestFirst)],
    'events of a type, oldest first': [
      200,
      () => readEvents(db, caller, { eventType: 'type3', from }, page, oldestFirst),
    ],
    'events of a profile, oldest first': [200, () => readEvents(db, caller, { profileId, to }, page, oldestFirst)],
    'events of a type of a profile, oldest first': [
      400,
      () => readEvents(db, caller, { profileId, eventType: 'type3' }, page, oldestFirst),
    ],
    'events of a type that there is not': [10, () => readEvents(db, caller, { eventType: '' }, page)],
    'events of a type of a profile': [400, () => readEvents(db, caller, { profileId, eventType: 'type3' }, page)],
    'events of an order': [10, () => readEvents(db, caller, { property: { name: 'order_id', value: '77' } }, page)],
    'events of an order, of a type and a profile': [
      10,
      () =>
        readEvents(db, caller, { property: { name: 'order_id', value: '77' }, profileId, eventType: 'type3' }, page),
    ],
    'events with a property': [2_100, () => readEvents(db, caller, { property }, page)],
    'a profile': [10, () => findProfile(db, caller, profileId)],
    profiles: [200, () => readProfiles(db, caller, page)],
    'a profile by its address': [
      10,
      () => findProfiles(db, caller, { kind: 'email', values: ['user77@example.com'] }, page),
    ],
    'profiles by the beginning of an address': [
      200,
      () => findProfiles(db, caller, { kind: 'email', beginning: 'user1' }, page),
    ],
    'profiles by the beginning of a name': [200, () => findProfilesByName(db, caller, '12', page)],
    'profiles by their ids': [200, () => readProfiles(db, caller, page, Array(100).fill(profileId))],
    'profiles in the order of creation': [200, () => search({})],
    'profiles created since a time, latest first': [200, () => search({ created: { from }, descending: true })],
    'profiles created in a time that had none': [10, () => search({ created: { from, before: to } })],
    'profiles by a hundred addresses': [200, () => search({ identifiers: [{ kind: 'email', values: emails }] })],
    'profiles that have opted out': [200, () => search({ suppression: 'unsubscribed' })],
    'profiles that are suppressed for a reason, latest first': [
      200,
      () => search({ suppression: { reason: 'HARD_BOUNCE' }, descending: true }),
    ],
    'those among some addresses that have opted out': [
      200,
      () => search({ suppression: 'unsubscribed', identifiers: [{ kind: 'email', values: emails }] }),
    ],
    'profiles in the order of their changes': [200, () => search({ order: 'updated' })],
    'profiles changed in a time': [200, () => search({ order: 'updated', updated: { from: changedFrom, before: to } })],
    'profiles changed in a time, latest first': [
      200,
      () => search({ order: 'updated', updated: { from: changedFrom, before: to }, descending: true }),
    ],
    'more of the profiles changed since a time': [
      200,
      () => search({ order: 'updated', updated: { from } }, timeCursor({ at: to, id: profileId })),
    ],
    'profiles changed in a time, created in another': [
      2_100,
      () => search({ order: 'updated', updated: { from }, created: { from, before: to } }),
    ],
    'profiles in the order of creation, changed in a time': [2_100, () => search({ updated: { from, before: to } })],
    'profiles that have opted out, in the order of their changes': [
      2_100,
      () => search({ order: 'updated', suppression: 'unsubscribed' }),
    ],
    'profiles suppressed for no reason that there is, in the order of their changes': [
      2_100,
      () => search({ order: 'updated', suppression: { reason: '' } }),
    ],
    'profiles that have opted out, changed in a time': [
      2_100,
      () => search({ suppression: 'unsubscribed', updated: { from, before: to } }),
    ],
    'profiles in the order of their addresses': [200, () => search({ order: 'email' })],
    'more of the profiles in the order of their addresses, last first': [
      200,
      () => search({ order: 'email', descending: true }, encode('user77@example.com')),
    ],
    'profiles in the order of their addresses, changed in a time': [
      2_100,
      () => search({ order: 'email', updated: { from, before: to } }),
    ],
    'those among some addresses that were changed in a time': [
      200,
      () => search({ order: 'updated', updated: { from }, identifiers: [{ kind: 'email', values: emails }] }),
    ],
    'profiles by the ids that they had elsewhere': [10, () => findBySourceIds(db, STORE, ['no such id'])],
    'the consent of profiles': [400, () => readConsents(db, STORE, Array(100).fill(profileId))],
    'the changes of a consent': [200, () => readConsentHistory(db, STORE, profileId, page)],
    "the times of profiles' latest events": [200, () => lastEventTimes(db, caller, Array(100).fill(profileId))],
    'counts by the day': [150, () => countByInterval(db, caller, boundariesOf('day', 'UTC', from, to), undefined)],
    'jobs of a kind': [200, () => listImportJobs(db, caller, { ...jobs, statuses: JOB_STATUSES }, page)],
    'jobs of a status that hardly any has': [
      10,
      () => listImportJobs(db, caller, { ...jobs, statuses: ['queued', 'processing'] }, page),
    ],
    'profiles of a job': [30, () => listImportedProfiles(db, caller, jobId, page)],
    'imports of customers': [200, () => listImports(db, STORE, page)],
    'errors of an import of customers': [200, () => listRowErrors(db, STORE, jobId, page)],
    'a search for customers': [60, () => searchAll('user1', ['profiles:read'])],
    'a search for an order or a type': [5_100, () => searchAll('77', ['events:read'])],
    'refused requests': [200, () => readRejections(db, new KeyNames(db), caller, page)],
    'what is new': [
      2_000,
      () => readChanges(db, STORE, { from: { entry: 5_000, items: 0 }, to: 20_000, kinds: ['event'] }, ALL_AT_ONCE),
    ],
  };
  for (const [name, [most, read]] of Object.entries(reads)) {
    it(`read few rows for ${name}, by an index`, async () => {
      await read();
      expect(statements).not.to.deep.equal([]);
      for (const statement of [...statements]) {
        for (const node of await nodesOf(db, statement)) {
          const { 'Node Type': type, 'Relation Name': table = '' } = node;
          const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
          // The partition of a month to come is empty.
          if (!LARGE.test(table) || rows === 0) continue;
          expect(type, `${table} in ${statement.sql}`).not.to.match(/Seq Scan/);
          expect(rows, `${table} in ${statement.sql}`).to.be.at.most(most);
        }
      }
    });
  }
});

/** Every step of the plan that a statement is run by. */
async function nodesOf(db: Sql, { sql: text, parameters }: CompiledQuery): Promise<Plan[]> {
  const explain = `explain (analyze, format json) ${text}`;
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
    sql: explain,
    parameters,
    query: { kind: 'RawNode', sqlFragments: [explain], parameters: [] },
    queryId: { queryId: 'explain' },
  } as unknown as CompiledQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>);
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  return flat((rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
}

/** Months of events of two stores, as they would be stored. */
const SEED = [
  `insert into profile (store_id, id, external_id, email, phone, anonymous_id, attributes, created_at, updated_at)
   select store_id::uuid, uuidv7(), 'cust_' || n, 'user' || n || '@example.com', null, null,
     json_build_object('first_name', 'Ada', 'last_name', n), now(), now() - n * interval '5 minutes'
   from generate_series(1, 5000) n, unnest(array['${STORE}', '01936b2e-0000-7000-8000-000000000002']) as store_id`,
  `insert into profile_update (store_id, updated_at, profile_ids)
   select store_id, updated_at + age * interval '2 days', array_agg(id)
   from profile cross join generate_series(0, 1) age group by 1, 2`,
  `insert into profile_identifier
   select store_id, kind, value, id from profile
   cross join lateral (values ('external_id', external_id), ('email', email)) as i (kind, value)`,
  `insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
   select p.store_id, uuidv7(-n * interval '20 s'), p.id, 'type' || n % 10, json_build_object('order_id', n),
     now() - n * interval '20 s', now() - n * interval '20 s'
   from generate_series(1, ${EVENTS}) n
   join (select *, row_number() over (order by random()) as position from profile) p on p.position = n % 10000 + 1
   order by n desc`,
  `insert into event_day
   select distinct store_id, (now() - n * interval '1 day')::date, 'type' || type, '2000-01-01'::timestamptz,
     array(select generate_series(1, 96))
   from generate_series(1, 1000) n cross join generate_series(0, 9) type cross join (select distinct store_id from event) s`,
  `insert into store (id, name) values ('${STORE}', 'plans')`,
  `insert into api_key (id, store_id, name, hash, scopes, tier)
   values ('${STORE}', '${STORE}', 'key', '', '{}', 'standard')`,
  `insert into rejection (store_id, id, request_id, key_id, status, code, message, rejected_at)
   select store_id, uuidv7(), uuidv7(), '${STORE}', 400, 'validation_error', 'wrong', now()
   from profile cross join generate_series(1, 2)`,
  `insert into addition (store_id, xid, first_id, last_id, kind, ids, position)
   select store_id, '5'::xid8, id, id, 'event', array[id], row_number() over (partition by store_id)
   from event limit 20000`,
  `insert into import_job (store_id, id, kind, status, total, created_at, expires_at, touched_at)
   select '${STORE}', uuidv7(), case n % 2 when 0 then 'events' else 'profiles' end, 'complete', 0, now(),
     now() + interval '1 day', now()
   from generate_series(1, 20000) n`,
  `insert into consent (store_id, profile_id, channel, status, changed_at, suppressed_at, suppression_reason)
   select store_id, id, channel, case n % 3 when 0 then 'unsubscribed' else 'subscribed' end, now(),
     case n % 5 when 0 then now() end, case n % 5 when 0 then 'HARD_BOUNCE' end
   from (select *, row_number() over () as n from profile) p cross join unnest(array['email', 'sms']) as channel`,
  `insert into consent_list (store_id, profile_id, channel, list_id, status, changed_at)
   select store_id, profile_id, channel, 'news', 'subscribed', now() from consent`,
  `insert into consent_change
     (store_id, profile_id, id, channel, kind, changed_at, applied, recorded_at)
   select store_id, profile_id, uuidv7(), channel, 'subscribed', now(), true, now()
   from consent cross join generate_series(1, 5)`,
  `insert into customer_import (store_id, id, state, list_ids, created_at, ended_at)
   select store_id, id, 'complete', '{}', now(), now() from import_job`,
  `insert into import_error (store_id, job_id, position, code, path, problem)
   select store_id, id, n, 'validation_error', '[]', 'is wrong' from import_job cross join generate_series(1, 5) n`,
  `insert into import_profile
   select store_id, id, part * 500, array[id, store_id] from import_job cross join generate_series(0, 9) part`,
  'analyze',
];
