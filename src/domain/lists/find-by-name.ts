import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { ListRecord } from '../../db/entities/list.ts';
import type { Sql } from '../../db/orm.ts';
import { isId } from '../../ids/uuid-v7.ts';

/** A list, and what it is called. */
export interface NamedList extends Pick<ListRecord, 'id' | 'sourceId' | 'isDoubleOptIn'> {
  /** What else than the `id`, as it is written, is a name of this list. */
  otherNames: readonly string[];
}

/**
 * Finds lists by what other systems call them: their `id` or, if no list has that, their `source_id`. Returns those
 * that there are, by that name.
 */
export async function findListsByName(
  db: Sql,
  storeId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamedList>> {
  const wanted = [...new Set(names)].filter((name) => !name.includes('\0'));
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<
    Pick<ListRecord, 'id' | 'sourceId' | 'isDoubleOptIn'> & { name: string; isTaken: boolean }
  >`
    select w.name, l.id, l.source_id as "sourceId", l.double_opt_in as "isDoubleOptIn",
      -- The id of a list is never the name of another one.
      case when length(l.source_id) = ${NOBODY.length}
        then exists (select from list where store_id = ${storeId} and id::text = lower(l.source_id))
        else false
      end as "isTaken"
    from unnest(
      ${texts(wanted)}::text[],
      ${uuids(wanted.map((name) => (isId(name) ? name.toLowerCase() : NOBODY)))}::uuid[]
    ) as w (name, id)
    left join lateral (
      select id, source_id, double_opt_in from list where store_id = ${storeId} and id = w.id limit 1
    ) i on true
    left join lateral (
      select id, source_id, double_opt_in from list where store_id = ${storeId} and source_id = w.name limit 1
    ) s on i.id is null
    cross join lateral (
      select coalesce(i.id, s.id) as id, coalesce(i.source_id, s.source_id) as source_id,
        coalesce(i.double_opt_in, s.double_opt_in) as double_opt_in
    ) l
    where l.id is not null`.execute(db);
  return new Map(
    rows.map(({ name, id, sourceId, isDoubleOptIn, isTaken }) => {
      const others = [id.toUpperCase(), ...(sourceId === null || isTaken ? [] : [sourceId])];
      return [name, { id, sourceId, isDoubleOptIn, otherNames: others }];
    }),
  );
}

/** An id that no list has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
