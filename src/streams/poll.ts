import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Caller } from '../domain/caller.ts';
import { type FeedState, readFeeds } from '../domain/feed/positions.ts';
import { endedSessions, type ShownSession } from '../domain/people/sessions.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds that a tick waits for a server, where there are several. */
const PATIENCE_MS = 500;

/** The state of feeds as far as they could be read, which proofs are no longer valid, and what failed. */
export interface Poll {
  feeds: ReadonlyMap<string, FeedState>;
  ended: ReadonlySet<string>;
  failures: unknown[];
}

/** Asks the database what is new, once for all subscribers. */
export class Polls {
  readonly #stores: StoreData;
  /** Stores whose feed is being read, or the keys, perhaps for some ticks. */
  readonly #late = new Set<string>();

  constructor(stores: StoreData) {
    this.#stores = stores;
  }

  /** Asks for the feeds of the subscribers' stores, and for their keys. */
  async poll(subscribers: readonly Subscriber[]): Promise<Poll> {
    const callers = subscribers.map(({ caller }) => caller);
    const stores = this.#stores;
    const groups = stores.groupStores([...new Set(subscribers.map(({ caller }) => caller.storeId))]);
    const hasOthers = groups.length > 1;
    const [keysPoll, ...polls] = await Promise.allSettled([
      this.#inTime('keys', hasOthers, () => findEnded(stores.shared, callers)),
      ...groups.map(({ db, storeIds }) =>
        this.#inTime(storeIds[0] as string, hasOthers, () => readFeeds(db, storeIds)),
      ),
    ]);
    return {
      feeds: new Map(polls.flatMap((poll) => (poll.status === 'fulfilled' ? [...(poll.value ?? [])] : []))),
      ended: new Set(keysPoll.status === 'fulfilled' ? keysPoll.value : []),
      failures: [keysPoll, ...polls].flatMap((poll) => (poll.status === 'rejected' ? [poll.reason] : [])),
    };
  }

  /** Returns undefined, in this tick and those that follow, while a server takes too long where there are others. */
  async #inTime<Answer>(name: string, hasOthers: boolean, ask: () => Promise<Answer>): Promise<Answer | undefined> {
    if (this.#late.has(name)) return undefined;
    this.#late.add(name);
    const answer = ask().finally(() => this.#late.delete(name));
    if (!hasOthers) return await answer;
    return await Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
}

/** Follows the id of a key with which somebody has signed in. */
const IN_BROWSER = ' in a browser';

/** What a caller's stream ends with: the key, by its id, as it is used; or the session as long as it shows the store in the same role. */
export function proofOf({ actor, storeId }: Caller): string {
  if (actor.kind === 'key') return actor.isInBrowser ? `${actor.id}${IN_BROWSER}` : actor.id;
  return `${actor.session} ${storeId} ${actor.role}`;
}

/** Returns the proofs of those callers whose keys and sessions are no longer valid. */
async function findEnded(db: Sql, callers: readonly Caller[]): Promise<string[]> {
  const keys = new Set<string>();
  const sessions = new Map<string, ShownSession & { proof: string }>();
  for (const caller of callers) {
    const { actor, storeId } = caller;
    const proof = proofOf(caller);
    if (actor.kind === 'key') keys.add(proof);
    else sessions.set(proof, { proof, session: actor.session, storeId, role: actor.role });
  }
  return [
    ...(keys.size > 0 ? await endedKeys(db, [...keys]) : []),
    ...(sessions.size > 0 ? await endedSessions(db, [...sessions.values()]) : []).map(({ proof }) => proof),
  ];
}

/** Those with which nobody may sign in any more have ended in browsers alone. */
async function endedKeys(db: Sql, proofs: readonly string[]): Promise<string[]> {
  const ids = proofs.map((proof) => proof.replace(IN_BROWSER, ''));
  const { rows } = await sql<{ id: string; hasEnded: boolean }>`
    select k.id, (k.revoked_at is not null or coalesce(k.expires_at <= now(), false)) as "hasEnded"
    from api_key k join store s on s.id = k.store_id
    where k.id = any(${ids}::uuid[]) and (k.revoked_at is not null or k.expires_at <= now() or not s.key_sign_in)`.execute(
    db,
  );
  const ended = new Map(rows.map(({ id, hasEnded }) => [id, hasEnded]));
  return proofs.filter((proof, n) => {
    const hasEnded = ended.get(ids[n] as string);
    return hasEnded || (hasEnded === false && proof.endsWith(IN_BROWSER));
  });
}
