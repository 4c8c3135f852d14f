import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Step } from '../sweeps/step.ts';
import type { MergeChanges, Merging } from './merge.ts';

/**
 * Joins the choices of two customers: of each channel and each list, the later one holds or, of two at the same time, the one to
 * opt out. Who is suppressed in either case stays so. Returns the choices and the suppressions that are taken over, and the
 * lists that they opt out of.
 */
export async function mergeConsent(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
): Promise<Required<Pick<MergeChanges, 'consent' | 'suppressed'>> & { optedOut: string[]; rows: number }> {
  const { rows: channels } = await sql<MergeChanges['consent'][number] & { isTaken: boolean; isSuppressed: boolean }>`
    with gone as (
      delete from consent where store_id = ${storeId} and profile_id = ${profileId} returning *
    ), own as (
      select channel, status, changed_at, suppressed_at from consent where store_id = ${storeId} and profile_id = ${winnerId}
    )
    insert into consent as c
      (store_id, profile_id, channel, status, changed_at, source, suppressed_at, suppression_reason)
    select ${storeId}::uuid, ${winnerId}::uuid, channel, status, changed_at, source, suppressed_at, suppression_reason
    from gone order by channel
    on conflict (store_id, profile_id, channel) do update set
      status = case when ${isTaken('c')} then excluded.status else c.status end,
      changed_at = case when ${isTaken('c')} then excluded.changed_at else c.changed_at end,
      source = case when ${isTaken('c')} then excluded.source else c.source end,
      suppressed_at = coalesce(c.suppressed_at, excluded.suppressed_at),
      suppression_reason = case
        when c.suppressed_at is null then excluded.suppression_reason else c.suppression_reason end
    returning channel, status, not exists (
      select from own
      where own.channel = c.channel and own.status = c.status and own.changed_at is not distinct from c.changed_at
    ) as "isTaken", c.suppressed_at is not null and not exists (
      select from own where own.channel = c.channel and own.suppressed_at is not null
    ) as "isSuppressed"`.execute(tx);
  const { rows: lists } = await sql<{ id: string; status: string }>`
    with gone as (
      delete from consent_list where store_id = ${storeId} and profile_id = ${profileId} returning *
    )
    insert into consent_list as c (store_id, profile_id, channel, list_id, list_name, status, changed_at)
    select ${storeId}::uuid, ${winnerId}::uuid, channel, list_id, list_name, status, changed_at
    from gone order by channel, list_id
    on conflict (store_id, profile_id, channel, list_id) do update
    set status = excluded.status, changed_at = excluded.changed_at, list_name = excluded.list_name
    where ${isTaken('c')}
    returning list_id as id, status`.execute(tx);
  const taken = channels
    .filter((one) => one.isTaken && one.status !== 'never')
    .map(({ channel, status }) => ({ channel, status }));
  const optedOut = lists.filter(({ status }) => status === 'unsubscribed').map(({ id }) => id);
  const suppressed = channels.flatMap(({ channel, isSuppressed }) => (isSuppressed ? channel : []));
  return { consent: taken, suppressed, optedOut, rows: channels.length + lists.length };
}

/** The same for what was written late. */
export const sweepConsent: Step<Merging> = async (tx, merging) => {
  const { rows } = await mergeConsent(tx, merging);
  return { counts: { consent: rows }, next: null };
};

function isTaken(own: string) {
  const [status, changedAt] = [sql.ref(`${own}.status`), sql.ref(`${own}.changed_at`)];
  return sql`(
    (${changedAt} is null and excluded.changed_at is not null) or excluded.changed_at > ${changedAt}
    or (excluded.changed_at = ${changedAt} and excluded.status = 'unsubscribed' and ${status} <> 'unsubscribed'))`;
}
