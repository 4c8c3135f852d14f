import { type RawBuilder, sql } from 'kysely';

/** Changes of profiles in order, by time and id: those after one of them. */
export interface UpdateRange {
  after: { at: Date; id: string };
  /** Where it ends: exclusive, or inclusive if it is descending. */
  end: Date;
  descending: boolean;
}

/**
 * Returns a query for the changes of profiles that the journal has in a range, `updated_at` and `id`: the first ones, `most`
 * at most. A profile may have changed again since.
 */
export function updatesIn(storeId: string, range: UpdateRange, most: number): RawBuilder<unknown> {
  const { after, descending } = range;
  const [onwards, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  // Those of one time are read together, as only the ids have an order there.
  return sql`
    select distinct e.updated_at, listed.id
    from (
      select updated_at, profile_ids ${entries(storeId, range, sql`=`)}
      union all
      select updated_at, profile_ids from (
        select *, sum(cardinality(profile_ids)) over (
          order by updated_at ${onwards} range between unbounded preceding and current row exclude group) as before
        from (
          select updated_at, profile_ids ${entries(storeId, range, beyond)}
          order by updated_at ${onwards}
          fetch first (${most}::bigint) rows with ties
        ) as next
      ) as measured
      where coalesce(before, 0) < ${most}
    ) e
    cross join lateral unnest(e.profile_ids) as listed (id)
    where (e.updated_at, listed.id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)
    order by e.updated_at ${onwards}, listed.id ${onwards}
    limit ${most}`;
}

/** A condition: whether the journal has something in a range beyond a time. */
export function hasUpdatesBeyond(storeId: string, range: UpdateRange, time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select true ${entries(storeId, range, range.descending ? sql`<` : sql`>`, time)} limit 1) is true`;
}

/** `compared` to a time, or to that of the change that they come after. */
function entries(
  storeId: string,
  { after, end, descending }: UpdateRange,
  compared: RawBuilder<unknown>,
  time = sql`${after.at}::timestamptz`,
): RawBuilder<unknown> {
  return sql`
    from profile_update
    where store_id = ${storeId} and updated_at ${compared} ${time} and updated_at ${descending ? sql`>=` : sql`<`} ${end}`;
}
