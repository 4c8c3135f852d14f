/**
 * Somebody with many events is not looked at again at once: the more there are to read, the later. What happens meanwhile
 * is noted with when they are due, so that no segment claims to have followed it.
 */
import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { LAST } from './apply.ts';
import type { Dirty, DirtyProfiles } from './origin.ts';

/** Events of one customer that are read again and again without a pause. */
const FEW_EVENTS = 250;
/** Milliseconds of pause for each event: to read one takes some microseconds. And the longest pause. */
const [PAUSE_MS, MAX_PAUSE_MS] = [6, 60_000];
/** What is noted of a customer in detail at the most. */
const MAX_NOTED = 100;

/** Notes that they have been looked at, and how many events of each were read. */
export async function pauseLarge(
  tx: Sql,
  storeId: string,
  events: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const large = [...events].filter(([, count]) => count > FEW_EVENTS);
  if (large.length === 0) return;
  const until = large.map(([, count]) => new Date(now + Math.min(MAX_PAUSE_MS, count * PAUSE_MS)));
  await sql`
    insert into segment_due (store_id, profile_id, due_at, events, not_before)
    select ${storeId}::uuid, id, ${new Date(LAST).toISOString()}::timestamptz, events, until
    from unnest(
      ${uuids(large.map(([id]) => id))}::uuid[],
      ${integers(large.map(([, count]) => count))}::int[],
      ${timestamps(until)}::timestamptz[]) as w (id, events, until)
    on conflict (store_id, profile_id) do update
    set events = excluded.events, not_before = excluded.not_before`.execute(tx);
}

/**
 * Has those who are known to be large wait until they are due, and returns the others. `since`: when the first of what has
 * happened was committed, in milliseconds.
 */
export async function postponeLarge(
  tx: Sql,
  storeId: string,
  dirty: DirtyProfiles,
  since: number,
): Promise<DirtyProfiles> {
  const { rows } = await sql<{ id: string; dueAt: number; happened: RawJson | null }>`
    select profile_id as id, (extract(epoch from due_at) * 1000)::float8 as "dueAt", happened from segment_due
    where store_id = ${storeId} and profile_id = any(${uuids([...dirty.keys()])}::uuid[]) and not_before is not null`.execute(
    tx,
  );
  if (rows.length === 0) return dirty;
  const noted = rows.flatMap(({ id, dueAt, happened }) => {
    const before = toDirty(happened);
    const all = JSON.stringify(summed([...before, ...(dirty.get(id) ?? [])]));
    return dueAt <= since && all === JSON.stringify(before) ? [] : [{ id, happened: all }];
  });
  if (noted.length > 0) {
    await sql`
      update segment_due d
      set due_at = least(due_at, ${new Date(since).toISOString()}::timestamptz), happened = w.happened::jsonb
      from unnest(${uuids(noted.map(({ id }) => id))}::uuid[], ${texts(noted.map((one) => one.happened))}::text[])
        as w (id, happened)
      where d.store_id = ${storeId} and d.profile_id = w.id`.execute(tx);
  }
  const large = new Set(rows.map(({ id }) => id));
  return new Map([...dirty].filter(([id]) => !large.has(id)));
}

/** Returns what was noted. */
export function toDirty(happened: RawJson | null): Dirty[] {
  return happened?.parse<Dirty[]>() ?? [];
}

/** Without repeats; without what it was in detail where that would be much to note. */
function summed(all: readonly Dirty[]): Dirty[] {
  const distinct = distinctOf(all);
  if (distinct.length <= MAX_NOTED) return distinct;
  return distinctOf(distinct.map(({ cause, depth }) => ({ what: 'any', cause, depth })));
}

function distinctOf(all: readonly Dirty[]): Dirty[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
