import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import { suppressAddresses } from '../suppressions.ts';

/** Messages that an address may not take within so many days, without taking one between, before it is left alone as long. */
const [MOST, DAYS] = [3, 30];
const DAY_MS = 86_400_000;

/** What an address has taken, or has not. */
export interface Attempt {
  address: string;
  messageId: string;
  at: Date;
}

/**
 * Counts messages that addresses have not taken, of which others may take a while: an address that does nothing else is
 * suppressed for 30 days. One that takes a message is as good as new.
 */
export async function countSoftBounces(
  tx: Sql,
  storeId: string,
  { bounces, deliveries }: { bounces: readonly Attempt[]; deliveries: readonly Attempt[] },
  digestOf: AddressDigest,
): Promise<void> {
  const hex = ({ address }: Attempt) => digestOf(address).toString('hex');
  if (deliveries.length > 0) await forget(tx, storeId, deliveries, hex);
  if (bounces.length === 0) return;
  const byDigest = new Map(bounces.map((bounce) => [hex(bounce), bounce.address]));
  await sql`
    insert into soft_bounce (store_id, digest, message_id, bounced_at)
    select ${storeId}::uuid, decode(b.digest, 'hex'), b.message_id, b.bounced_at
    from unnest(
      ${texts(bounces.map(hex))}::text[],
      ${uuids(bounces.map(({ messageId }) => messageId))}::uuid[],
      ${timestamps(bounces.map(({ at }) => at))}::timestamptz[]
    ) as b (digest, message_id, bounced_at)
    order by b.digest, b.message_id
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ digest: string }>`
    select encode(s.digest, 'hex') as digest
    from unnest(${texts([...byDigest.keys()])}::text[]) as d (digest)
    join soft_bounce s on s.store_id = ${storeId} and s.digest = decode(d.digest, 'hex')
      and s.bounced_at > now() - make_interval(days => ${DAYS}::int)
    group by s.digest having count(*) >= ${MOST}`.execute(tx);
  const addresses = rows.flatMap(({ digest }) => byDigest.get(digest) ?? []);
  if (addresses.length === 0) return;
  const until = new Date(Date.now() + DAYS * DAY_MS);
  await suppressAddresses(tx, storeId, addresses, digestOf, 'soft_bounces', until);
}

/** What it did not take after that stays. */
async function forget(
  tx: Sql,
  storeId: string,
  deliveries: readonly Attempt[],
  hex: (attempt: Attempt) => string,
): Promise<void> {
  const latest = new Map<string, Date>();
  for (const delivery of deliveries) {
    const digest = hex(delivery);
    const known = latest.get(digest);
    if (!known || known < delivery.at) latest.set(digest, delivery.at);
  }
  await sql`
    with gone as (
      select s.digest, s.message_id
      from unnest(
        ${texts([...latest.keys()])}::text[], ${timestamps([...latest.values()])}::timestamptz[]
      ) as d (digest, at)
      join soft_bounce s on s.store_id = ${storeId} and s.digest = decode(d.digest, 'hex') and s.bounced_at <= d.at
      order by s.digest, s.message_id
      for update of s
    )
    delete from soft_bounce s using gone
    where s.store_id = ${storeId} and s.digest = gone.digest and s.message_id = gone.message_id`.execute(tx);
}

/** Deletes those that count no more. */
export const deletionOfSoftBounces = () =>
  deletionOfOldRows({
    table: 'soft_bounce',
    key: ['digest', 'message_id'],
    since: 'bounced_at',
    days: DAYS,
    failure: 'old soft bounces not deleted',
  });
