import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { DAY } from '../../time/duration.ts';
import { activityOfCustomer } from './of-customer.ts';

export type ActivityKind = 'viewed' | 'carted' | 'ordered';

/** What a customer did with an item, once. */
export interface Activity {
  profileId: string;
  kind: ActivityKind;
  itemId: string;
  /** Milliseconds. */
  at: number;
}

/** Days for which it is kept, and items of a customer and kind, those with which they did it last. */
export const KEPT_DAYS = 180;
const MAX_OF_CUSTOMER = 200;

/** Adds to what customers did, and to the counts of the days. */
export async function writeActivity(tx: Sql, storeId: string, all: readonly Activity[]): Promise<void> {
  const oldest = Date.now() - KEPT_DAYS * DAY;
  const kept = all.filter(({ at }) => at >= oldest);
  if (kept.length === 0) return;
  await addToCustomers(tx, storeId, kept);
  await keepNewest(tx, storeId, kept);
  await addToDays(tx, storeId, kept);
}

async function addToCustomers(tx: Sql, storeId: string, all: readonly Activity[]): Promise<void> {
  const groups = [...Map.groupBy(all, (one) => `${one.profileId} ${one.kind} ${one.itemId}`).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const times = group.map(({ at }) => at);
      const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
      return { ...(group[0] as Activity), times: group.length, first, last };
    });
  await sql`
    insert into item_activity (store_id, profile_id, kind, item_id, times, first_at, last_at)
    select ${storeId}::uuid, *
    from unnest(
      ${uuids(groups.map(({ profileId }) => profileId))}::uuid[],
      ${texts(groups.map(({ kind }) => kind))}::text[],
      ${texts(groups.map(({ itemId }) => itemId))}::text[],
      ${integers(groups.map(({ times }) => times))}::int[],
      ${timestamps(groups.map(({ first }) => first))}::timestamptz[],
      ${timestamps(groups.map(({ last }) => last))}::timestamptz[])
    on conflict (store_id, profile_id, kind, item_id) do update
    set times = item_activity.times + excluded.times, first_at = least(item_activity.first_at, excluded.first_at),
      last_at = greatest(item_activity.last_at, excluded.last_at)`.execute(tx);
}

async function keepNewest(tx: Sql, storeId: string, all: readonly Activity[]): Promise<void> {
  const touched = [...new Map(all.map((one) => [`${one.profileId} ${one.kind}`, one])).values()];
  await sql`
    delete from item_activity
    where ctid = any(array(
      select old.place
      from unnest(
        ${uuids(touched.map(({ profileId }) => profileId))}::uuid[],
        ${texts(touched.map(({ kind }) => kind))}::text[]) as w (profile_id, kind)
      cross join lateral (
        select own.place from ${activityOfCustomer(storeId, sql`w.profile_id`, sql`w.kind`)} own
        order by own.last_at desc, own.item_id
        offset ${MAX_OF_CUSTOMER}
      ) old
    ))`.execute(tx);
}

async function addToDays(tx: Sql, storeId: string, all: readonly Activity[]): Promise<void> {
  const dayOf = ({ at }: Activity) => new Date(at).toISOString().slice(0, 10);
  const groups = [...Map.groupBy(all, (one) => `${dayOf(one)} ${one.itemId}`).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({ day: dayOf(group[0] as Activity), itemId: (group[0] as Activity).itemId, group }));
  const count = (kind: ActivityKind) =>
    integers(groups.map(({ group }) => group.filter((one) => one.kind === kind).length));
  await sql`
    insert into item_day (store_id, day, item_id, views, carts, orders)
    select ${storeId}::uuid, day::date, item_id, views, carts, orders
    from unnest(
      ${texts(groups.map(({ day }) => day))}::text[],
      ${texts(groups.map(({ itemId }) => itemId))}::text[],
      ${count('viewed')}::int[], ${count('carted')}::int[], ${count('ordered')}::int[])
      as d (day, item_id, views, carts, orders)
    on conflict (store_id, day, item_id) do update
    set views = item_day.views + excluded.views, carts = item_day.carts + excluded.carts,
      orders = item_day.orders + excluded.orders`.execute(tx);
}
