import type { TestDatabase } from '../support/postgres.ts';
import type { Attempt } from './writers.ts';

/** Where the database differs from what clients were told; each a mark, or an external id. */
export interface Audit {
  /** Acknowledged, and not there; or there under another id. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** Of a request that is there in part. */
  torn: string[];
  /** There, of a request that was not acknowledged. That is no fault, unless the answer could have been given. */
  untold: string[];
}

/** Compares what a store holds with what its clients were told. */
export async function audit(database: TestDatabase, storeId: string, attempts: readonly Attempt[]): Promise<Audit> {
  const events = await idsBy(
    database,
    `select properties ->> 'mark' as mark, id from event
     where store_id = '${storeId}' and properties ->> 'mark' is not null`,
  );
  const profiles = await idsBy(database, `select external_id as mark, id from profile where store_id = '${storeId}'`);
  const result: Audit = { lost: [], doubled: [], torn: [], untold: [] };
  for (const { kind, mark, outcome, id } of attempts) {
    const marks = kind.events(mark);
    const externalIds = kind.profiles(mark);
    const found = [...marks.map((each) => events.get(each)), ...externalIds.map((each) => profiles.get(each))];
    if (outcome === 'acknowledged') {
      if (found.some((ids) => !ids) || (id !== undefined && !found[0]?.includes(id))) result.lost.push(mark);
    } else if (marks.some((each) => events.has(each))) {
      result.untold.push(mark);
      if (found.some((ids) => !ids)) result.torn.push(mark);
    }
  }
  for (const [mark, ids] of [...events, ...profiles]) if (ids.length > 1) result.doubled.push(mark);
  return result;
}

/** Bulk jobs of a store that are not complete, or whose counts are not what they should be. */
export async function unfinishedJobs(database: TestDatabase, storeId: string): Promise<unknown[]> {
  return database.query(`
    select id, status, total, completed, failed from import_job
    where store_id = '${storeId}' and (status <> 'complete' or completed <> total or failed > 0)`);
}

/** Rows of a store that point at nothing. */
export async function orphans(database: TestDatabase, storeId: string): Promise<unknown[]> {
  return database.query(`
    select 'event' as of, id::text from event e where store_id = '${storeId}' and not exists (
      select from profile where store_id = e.store_id and id = e.profile_id)
    union all
    select 'identifier', value from profile_identifier i where store_id = '${storeId}' and not exists (
      select from profile where store_id = i.store_id and id = i.profile_id)
    union all
    select 'profile', id::text from profile p where store_id = '${storeId}' and not exists (
      select from profile_identifier where store_id = p.store_id and value = p.external_id and profile_id = p.id)
    union all
    select 'key', key from idempotency_key k where store_id = '${storeId}' and not exists (
      select from event where store_id = k.store_id and id = k.event_id)
    union all
    select 'chunk', job_id::text from import_chunk where store_id = '${storeId}'`);
}

async function idsBy(database: TestDatabase, statement: string): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const { mark, id } of await database.query<{ mark: string; id: string }>(statement)) {
    ids.set(mark, [...(ids.get(mark) ?? []), id]);
  }
  return ids;
}
