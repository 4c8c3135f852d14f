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

/** What a caller's stream ends with: the key, by its id, or the session as long as it shows the store in the same role. */
export function proofOf({ actor, storeId }: Caller): string {
  return actor.kind === 'key' ? actor.id : `${actor.session} ${storeId} ${actor.role}`;
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

async function endedKeys(db: Sql, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from api_key where id = any(${keys}::uuid[]) and (revoked_at is not null or expires_at <= now())`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
