import { type RawBuilder, sql } from 'kysely';
import { alongKey, byProfile, type Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** Before the place in the histories of others. */
const OTHERS = 'others ';

/** A history goes with its customer; from those of others goes what had been theirs before and became the customer's. */
export const sweepHistory: Step<Erasing> = async (tx, erasing, after, tools) => {
  if (after.startsWith(OTHERS)) {
    const { counts, next } = await forgetInOthers(tx, erasing, after.slice(OTHERS.length), tools);
    return { counts, next: next === null ? null : OTHERS + next };
  }
  const { counts, next } = await deleteOwn(tx, erasing, after, tools);
  return { counts, next: next ?? (erasing.identifiers.length === 0 ? null : OTHERS) };
};

const deleteOwn = byProfile('profile_history');
const forgetInOthers = alongKey<Erasing>('profile_history', ['id'], namesThem, withoutThem);

/** By a string of its own in the JSON, in whatever case it was written. */
function namesThem({ identifiers }: Erasing): RawBuilder<unknown> {
  const quoted = identifiers.map(
    ({ value }) => sql`strpos(lower(identifiers::text), lower(${JSON.stringify(value)}::text)) > 0`,
  );
  return sql`(${sql.join(quoted, sql` or `)})`;
}

function withoutThem({ identifiers }: Erasing): RawBuilder<unknown> {
  const theirs = (kind: RawBuilder<unknown>, value: RawBuilder<unknown>) => {
    const pairs = sql.join(identifiers.map((one) => sql`(${one.kind}, lower(${one.value}::text))`));
    return sql`coalesce((${kind}, lower(${value})) in (${pairs}), false)`;
  };
  const others = (list: string) => sql`(
    select coalesce(jsonb_agg(p.pair order by p.n), '[]')
    from jsonb_array_elements(identifiers -> ${sql.lit(list)}) with ordinality as p (pair, n)
    where not ${theirs(sql`p.pair ->> 0`, sql`p.pair ->> 1`)})`;
  const shown = (side: string) => {
    const value = sql`s.change ->> ${sql.lit(side)}`;
    return sql`${sql.lit(side)}, case when not ${theirs(sql`s.kind`, value)} then ${value} end`;
  };
  return sql`identifiers = jsonb_build_object('gained', ${others('gained')}, 'lost', ${others('lost')}, 'shown', (
    select coalesce(jsonb_object_agg(s.kind, jsonb_build_object(${shown('from')}, ${shown('to')})), '{}')
    from jsonb_each(identifiers -> 'shown') as s (kind, change)))`;
}
