import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import { addFeedReader } from '../../feed/readers.ts';
import { USUAL_RULE } from '../rule.ts';

/** The name under which the position in a store's change feed is kept. A store has it from its first order on. */
export const READER = 'orders';

/** Stores that are looked at together. */
const MOST = 50;

/** Finds the stores of one part of the data that have events to be read from before there was a reader. */
export async function findUnready(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select r.store_id as "storeId" from feed_reader r
    left join order_settings s on s.store_id = r.store_id
    where r.name = ${READER} and s.stage is distinct from 'ready'`.execute(db);
  return rows.map(({ storeId }) => storeId);
}

/** Has the orders of stores followed in which somebody has ordered something: all stores are looked at in turn, by their counts. */
export function followingOfOrders(): DataTask {
  let after = LOWEST_ID;
  return {
    failure: 'stores with orders not followed',
    everyMs: 2_000,
    rows: 'event_day',
    async run(db) {
      const { rows } = await sql<{ storeId: string; hasOrders: boolean }>`
        with recursive one as (
          (select store_id from event_day where store_id > ${after} order by store_id limit 1)
          union all
          select (select store_id from event_day d where d.store_id > one.store_id order by store_id limit 1)
          from one where one.store_id is not null
        )
        select one.store_id as "storeId",
          not exists (select from feed_reader r where r.store_id = one.store_id and r.name = ${READER})
            and exists (
              select from event_day d
              where d.store_id = one.store_id and d.event_type = any(coalesce(
                (select placed_types from order_settings s where s.store_id = one.store_id),
                ${texts(USUAL_RULE.placedTypes)}::text[]))
            ) as "hasOrders"
        from one where one.store_id is not null limit ${MOST}`.execute(db);
      after = rows.length === MOST ? (rows.at(-1)?.storeId ?? LOWEST_ID) : LOWEST_ID;
      for (const { storeId, hasOrders } of rows) if (hasOrders) await addFeedReader(db, { storeId, name: READER });
    },
  };
}
