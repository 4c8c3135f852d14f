import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { UnloadedJson } from '../../../db/raw-json.ts';
import { exactly, rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { CHANNELS } from '../../consent/consent.ts';
import {
  PROFILE_COLUMNS,
  PROFILE_COLUMNS_ALONE,
  type Profile,
  type ProfileRow,
  profileFromRow,
  SHORT_PROFILE_COLUMNS,
} from '../../profile.ts';
import type { AddressDigest } from './address-digest.ts';
import { addressOn, type Caps, type Standing } from './decide.ts';
import type { MessageChannel } from './message.ts';

/** What decides about messages to a customer, and what they may say. */
export interface StandingOf extends Standing {
  /** Undefined if there is no such customer any more. */
  profile: Profile | undefined;
  sentAt: number[];
}

interface Asked {
  id: string;
  profileId: string;
  channel: MessageChannel;
  class: 'marketing' | 'transactional';
}

/** Messages of a customer that are counted, of those that were begun and of those that are about to be. */
const MOST = 200;

/** What is asked of customers: with which caps, and by what their addresses are known. */
type Question = [tx: Sql, storeId: string, asked: readonly Asked[], caps: Caps, digestOf: AddressDigest];

/** How the customers of some messages stand, each for the channel of theirs. */
export class Standings {
  readonly #byChannel = new Map<MessageChannel, ReadonlyMap<string, StandingOf>>();

  add(channel: MessageChannel, standings: ReadonlyMap<string, StandingOf>): void {
    this.#byChannel.set(channel, standings);
  }

  of({ channel, profileId }: Pick<Asked, 'channel' | 'profileId'>): StandingOf {
    return this.#byChannel.get(channel)?.get(profileId) as StandingOf;
  }
}

/** Reads how customers stand, under the locks of their consent, which whoever changes it waits for. */
export async function lockStandings(...question: Question): Promise<Standings> {
  return await standingsOf({ lock: sql`for no key update`, columns: PROFILE_COLUMNS }, ...question);
}

/** Locks the consent of customers to a channel, in the order of their ids. */
export async function lockConsents(
  tx: Sql,
  storeId: string,
  channel: MessageChannel,
  ids: readonly string[],
): Promise<void> {
  await readConsents(tx, storeId, channel, ids, sql`for no key update`);
}

/** The same as it is at this moment, which nobody waits for. */
export async function readStandings(...question: Question): Promise<Standings> {
  return await standingsOf({ lock: sql``, columns: PROFILE_COLUMNS }, ...question);
}

/** The same for very many customers, of whom nothing is said: their attributes, which may be large, are not read. */
export async function readStandingsAlone(...question: Question): Promise<Standings> {
  return await standingsOf({ lock: sql``, columns: PROFILE_COLUMNS_ALONE }, ...question);
}

/** The same beside requests: attributes too long to be parsed there are `UnloadedJson`. */
export async function readShortStandings(...question: Question): Promise<Standings> {
  return await standingsOf({ lock: sql``, columns: SHORT_PROFILE_COLUMNS }, ...question);
}

interface Reading {
  lock: RawBuilder<unknown>;
  /** Of `profile p`. */
  columns: RawBuilder<unknown>;
}

async function standingsOf(reading: Reading, ...[tx, storeId, asked, caps, digestOf]: Question): Promise<Standings> {
  const standings = new Standings();
  // In one order: no two transactions deadlock.
  for (const channel of CHANNELS) {
    const some = asked.filter((one) => one.channel === channel);
    if (some.length > 0) standings.add(channel, await standingsOn(channel, reading, tx, storeId, some, caps, digestOf));
  }
  return standings;
}

async function standingsOn(
  channel: MessageChannel,
  { lock, columns }: Reading,
  ...[tx, storeId, asked, caps, digestOf]: Question
): Promise<Map<string, StandingOf>> {
  const ids = [...new Set(asked.map(({ profileId }) => profileId))].sort();
  const consents = await readConsents(tx, storeId, channel, ids, lock);
  const profiles = await readProfiles(tx, storeId, ids, columns);
  const addresses = [...profiles.values()].flatMap((profile) => addressOn(channel, profile) ?? []);
  const suppressed = await suppressedOf(tx, storeId, addresses, digestOf);
  const sent = await readSent(tx, storeId, channel, asked, caps);
  return new Map(
    ids.map((id) => {
      const profile = profiles.get(id);
      const address = profile ? addressOn(channel, profile) : null;
      const standing: StandingOf = {
        profile,
        isKnown: profile !== undefined,
        address,
        consent: consents.get(id) ?? { status: 'never', isSuppressed: false },
        isAddressSuppressed: address !== null && suppressed.has(address),
        sentAt: sent.get(id) ?? [],
      };
      return [id, standing];
    }),
  );
}

function marketedTo(asked: readonly Asked[]): string[] {
  return [...new Set(asked.filter((one) => one.class === 'marketing').map(({ profileId }) => profileId))];
}

async function readConsents(
  tx: Sql,
  storeId: string,
  channel: MessageChannel,
  ids: readonly string[],
  lock: RawBuilder<unknown>,
): Promise<Map<string, Standing['consent']>> {
  const { rows } = await sql<Standing['consent'] & { profileId: string }>`
    select c.profile_id as "profileId", c.status, c.suppressed_at is not null as "isSuppressed"
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select * from consent where store_id = ${storeId} and profile_id = w.id and channel = ${channel}
      limit 1
      ${lock}
    ) c`.execute(tx);
  return new Map(rows.map(({ profileId, ...consent }) => [profileId, consent]));
}

async function readProfiles(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  columns: RawBuilder<unknown>,
): Promise<Map<string, Profile>> {
  const { rows } = await sql<ProfileRow & { attributes: ProfileRow['attributes'] | null }>`
    select ${columns}
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral ${rowById('profile', storeId, 'w.id')} p`.execute(tx);
  return new Map(
    rows.map((row) => [row.id, profileFromRow({ ...row, attributes: row.attributes ?? new UnloadedJson() })]),
  );
}

/** Returns those of some addresses that nothing is sent to. */
export async function suppressedOf(
  tx: Sql,
  storeId: string,
  addresses: readonly string[],
  digestOf: AddressDigest,
): Promise<ReadonlySet<string>> {
  const byDigest = new Map(addresses.map((address) => [digestOf(address).toString('hex'), address]));
  const { rows } = await sql<{ digest: Buffer }>`
    select s.digest
    from unnest(${texts([...byDigest.keys()])}::text[]) as w (digest)
    cross join lateral (
      select digest from suppressed_address
      where store_id = ${storeId} and digest >= decode(w.digest, 'hex') and digest <= decode(w.digest, 'hex')
        and (until is null or until > now())
      order by digest
      limit 1
    ) s`.execute(tx);
  return new Set(rows.map(({ digest }) => byDigest.get(digest.toString('hex')) as string));
}

/**
 * Returns when customers were sent marketing messages through a channel, as far back as the caps look; what others have claimed counts as
 * sent now, and webhooks that count as messages do unless they were not received. Those that are asked for, which may be taken once more,
 * do not count themselves.
 */
export async function readSent(
  tx: Sql,
  storeId: string,
  channel: MessageChannel,
  asked: readonly Asked[],
  caps: Caps,
): Promise<Map<string, number[]>> {
  const backMs = Math.max(caps.most?.withinMs ?? 0, caps.gapMs ?? 0);
  const ids = marketedTo(asked);
  const sent = new Map<string, number[]>();
  if (backMs === 0 || ids.length === 0) return sent;
  const since = new Date(Date.now() - backMs).toISOString();
  const { rows } = await sql<{ id: string; at: number }>`
    select w.id, (extract(epoch from m.at) * 1000)::float8 as at
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      (
        select id, begun_at as at from message
        where store_id = ${storeId} and profile_id = w.id and class = 'marketing' and begun_at > ${since}::timestamptz
          and status not in ('waiting', 'failed') and channel = ${channel}
        order by begun_at desc
        limit ${MOST}
      )
      union all
      select id, now() from (
        select id, channel, class, status, begun_at from message
        where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
        order by profile_id desc, id desc
        limit ${MOST}
      ) latest
      where class = 'marketing' and channel = ${channel} and status = 'claimed' and begun_at is null
      union all
      select null, counted_at from (
        select run_id, seq, counted_at from counted_webhook
        where store_id = ${storeId} and profile_id = w.id and channel = ${channel} and counted_at > ${since}::timestamptz
        limit ${MOST}
      ) counted
      where not exists (
        select from webhook_delivery d
        where d.store_id = ${storeId} and d.run_id = counted.run_id and d.seq = counted.seq
          and d.status in ('failed', 'expired', 'held')
      )
    ) m
    where m.id is null or m.id <> all(${uuids(asked.map(({ id }) => id))}::uuid[])`.execute(tx);
  for (const { id, at } of rows) sent.set(id, [...(sent.get(id) ?? []), at]);
  return sent;
}
