import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { zoned } from '../time/local.ts';
import type { Line } from './mail-text.ts';

/** Something that needs somebody, as it is told. Times are milliseconds. */
export interface TellableItem {
  kind: string;
  /** `NOBODY` where it is the store itself. */
  id: string;
  since: number;
}

/** What is told of a kind, and the page of the dashboard that has it. */
const WORDS: Record<string, { what: string; page: string }> = {
  automation_failed: { what: 'Runs of an automation have failed', page: 'automations' },
  sender_resting: { what: 'A sender rests, as its server has refused several messages in a row', page: 'senders' },
  sender_failing: { what: 'The check of a sender does not hold', page: 'senders' },
  endpoint_down: { what: 'A webhook endpoint is down', page: 'webhooks' },
  feed_waiting: { what: 'A feed waits for somebody to confirm what it changes', page: 'feeds' },
  feed_failing: { what: 'A feed has failed several times in a row', page: 'feeds' },
  coupon_pool_empty: { what: 'A coupon pool has no free code', page: 'coupons' },
  campaign_held: { what: 'A campaign is held until somebody decides', page: 'campaigns' },
  campaign_paused: { what: 'A campaign has paused itself', page: 'campaigns' },
  campaign_missed: { what: 'A campaign was not sent in time', page: 'campaigns' },
  import_failed: { what: 'An import of customers has failed', page: 'imports' },
  no_orders: { what: 'There were no orders for unusually long', page: 'orders' },
};

export function whatIsIt(kind: string): string {
  return WORDS[kind]?.what ?? kind;
}

/** Returns what things are called, by their ids. No address or anything else that might have a secret in it. */
export async function namesOf(db: Sql, storeId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const tables = [
    'automation',
    'sender',
    'webhook_endpoint',
    'catalog_feed',
    'coupon_pool',
    'campaign',
    'customer_import',
  ];
  const named = tables.map(
    (table) => sql`
      select id, name from ${sql.table(table)}
      where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and name is not null`,
  );
  const { rows } = await sql<{ id: string; name: string }>`${sql.join(named, sql` union all `)}`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Says it on one line, with the page of the dashboard. `base` is where the service is, without a slash at its end. */
export function lineOf(
  { kind, id, since }: TellableItem,
  { names, base, zone }: { names: ReadonlyMap<string, string>; base: string; zone: string },
): Line {
  const name = names.get(id);
  const page = WORDS[kind]?.page;
  return {
    text: `${whatIsIt(kind)}${name === undefined ? '' : `: ${name}`} (since ${timeText(since, zone)})`,
    href:
      page === undefined ? undefined : `${base}/dashboard/${page}${id === NOBODY || page === 'orders' ? '' : `/${id}`}`,
  };
}

function timeText(ms: number, zone: string): string {
  return zoned(ms, zone).toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
}
