import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** How far the identifiers of a store have been looked at: up to `value` of `kind`. */
export interface Progress {
  storeId: string;
  country: string | null;
  form: string;
  kind: CheckedKind;
  value: string;
  /** As text of Postgres. */
  startedAt: string;
}

export const CHECKED_KINDS = ['email', 'phone'] as const;
export type CheckedKind = (typeof CHECKED_KINDS)[number];

/** Counted up with each change of the canonical form after which everything has to be looked at again. */
const FORM = 1;
/** How often everything is looked at: a process of the version before may write beside the first time. */
const ROUNDS = 2;
const NEXT_ROUND = sql`interval '1 day'`;
/** For how long one process has a store to itself. */
const TAKEN = sql`interval '1 minute'`;

/** The form of a store's identifiers depends on its country. */
function formOf(country: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${`${FORM} `}::text || coalesce(${country}, '')`;
}

/** Takes a store that has something to look at; undefined if none has. It begins anew where everything was looked at. */
export async function takeStore(db: Sql): Promise<Progress | undefined> {
  const { rows } = await sql<Omit<Progress, 'country'> & { country: string | null }>`
    with due as (
      select s.id, s.country, ${formOf(sql`s.country`)} as form
      from store s
      left join identifier_check c on c.id = s.id
      where (c.taken_until is null or c.taken_until < now()) and (
        c.id is null or c.ended_at is null or c.form <> ${formOf(sql`s.country`)}
        or (c.rounds < ${ROUNDS}::int and c.ended_at < now() - ${NEXT_ROUND}))
      order by c.taken_until nulls first
      limit 1
    ), taken as (
      insert into identifier_check as c (id, form, kind, value, started_at, rounds, taken_until)
      select id, form, 'email', '', now(), 0, now() + ${TAKEN} from due
      on conflict (id) do update set
        taken_until = excluded.taken_until,
        form = excluded.form,
        rounds = case when c.form = excluded.form then c.rounds else 0 end,
        ended_at = null,
        kind = case when ${GOES_ON} then c.kind else excluded.kind end,
        value = case when ${GOES_ON} then c.value else excluded.value end,
        started_at = case when ${GOES_ON} then c.started_at else excluded.started_at end
      where c.taken_until is null or c.taken_until < now()
      returning *
    )
    select t.id as "storeId", d.country, t.form, t.kind, t.value, t.started_at::text as "startedAt"
    from taken t join due d on d.id = t.id`.execute(db);
  return rows[0];
}

const GOES_ON = sql`c.form = excluded.form and c.ended_at is null`;

/** Keeps where to go on, and leaves the store to any process. */
export async function keepProgress(db: Sql, { storeId, form, kind, value }: Progress): Promise<void> {
  await sql`
    update identifier_check set kind = ${kind}, value = ${value}, taken_until = null
    where id = ${storeId} and form = ${form} and ended_at is null`.execute(db);
}

/** Returns whether it was still to end: not if another process has ended it. */
export async function endRound(db: Sql, { storeId, form }: Progress): Promise<boolean> {
  const { rows } = await sql`
    update identifier_check set ended_at = now(), rounds = rounds + 1, taken_until = null, value = ''
    where id = ${storeId} and form = ${form} and ended_at is null
    returning id`.execute(db);
  return rows.length > 0;
}

/** Returns when all identifiers of a store had been looked at in its present form; null while they have not. */
export async function lastChecked(db: Sql, storeId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from c.ended_at) * 1000)::float8 as at
    from identifier_check c join store s on s.id = c.id
    where c.id = ${storeId} and c.form = ${formOf(sql`s.country`)}`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}
