import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../api-keys.ts';
import { type Added, idOf, readAdditions } from './additions.ts';
import { Places } from './places.ts';
import { isBefore, type Position } from './position.ts';

/** How often the database is asked for what is new, while somebody follows. */
export const TICK_MS = 250;
/** Things that a follower gets in one tick, at most, and all followers together: to tell all of a flood would slow it. */
const MAX_PER_TICK = 200;
const MAX_TOLD_PER_TICK = 2_000;
/** What each gets in any case. */
const MIN_PER_TICK = 10;
/** How far back a follower may resume, in milliseconds; what was added is kept a little longer. */
const RESUMABLE_MS = 10 * 60 * 1000;
export const KEPT_MS = RESUMABLE_MS + 5 * 60 * 1000;
const HEARTBEAT_MS = 15_000;

/** How what happens is written for those who follow; once for all of them. */
export interface Script {
  added(added: Added, position: Position): string;
  /** What came before the position is not followed. */
  reset(position: Position): string;
  /** Nothing happened. */
  heartbeat(position: Position): string;
}

/** Who follows, and takes what is written for them. */
export interface Listener {
  /** Whether it has taken what it was sent; if not it is left to fall behind. */
  isReady(): boolean;
  send(text: string): void;
  end(): void;
}

interface Follower {
  caller: Caller;
  listener: Listener;
  position: Position;
  /** When it was last sent something. */
  sentAt: number;
}

interface News {
  snapshot: string;
  /** Stores that have something new since the tick before. */
  stores: string[];
  /** Keys that are no longer valid. */
  ended: string[];
}

/**
 * Tells what is stored, by whichever process, to those who follow it: asks the database again and again, once for all
 * who are at the same position.
 */
export class Feed {
  readonly #sql: Sql;
  readonly #script: Script;
  readonly #places = new Places();
  readonly #followers = new Set<Follower>();
  #lastSnapshot: string | undefined;
  #hasEnded = false;

  constructor(db: Sql, script: Script) {
    this.#sql = db;
    this.#script = script;
  }

  /**
   * Follows the caller's store from a position, or from now; the returned function ends that. Throws where there is no
   * place for one more, and where nobody waits any more once it could begin.
   */
  async follow(
    caller: Caller,
    listener: Listener,
    from: Position | undefined,
    signal: AbortSignal,
  ): Promise<() => void> {
    const leave = this.#places.take(caller);
    try {
      const { snapshot } = await this.#news([]);
      signal.throwIfAborted();
      const now = { since: Date.now(), seen: snapshot };
      const position = from && isResumable(from, snapshot) ? from : now;
      const follower = { caller, listener, position, sentAt: performance.now() };
      listener.send(from && position === now ? this.#script.reset(now) : this.#script.heartbeat(position));
      if (this.#hasEnded) listener.end();
      else this.#followers.add(follower);
      return () => {
        this.#followers.delete(follower);
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Tells everybody what is new. */
  async tick(): Promise<void> {
    if (this.#followers.size === 0) return;
    const at = Date.now();
    const { snapshot, stores, ended } = await this.#news([...this.#followers]);
    for (const follower of this.#followers) {
      if (ended.includes(follower.caller.keyId)) this.#end(follower);
    }
    const ready = [...this.#followers].filter(({ listener }) => listener.isReady());
    const groups = Map.groupBy(ready, ({ caller, position }) => `${caller.storeId} ${JSON.stringify(position)}`);
    const limit = Math.max(MIN_PER_TICK, Math.min(MAX_PER_TICK, Math.floor(MAX_TOLD_PER_TICK / ready.length)));
    for (const group of groups.values()) await this.#tell(group, { since: at, seen: snapshot }, stores, limit);
    this.#lastSnapshot = snapshot;
  }

  /** Ends it for everybody, for good. */
  end(): void {
    this.#hasEnded = true;
    for (const follower of this.#followers) this.#end(follower);
  }

  #end(follower: Follower): void {
    this.#followers.delete(follower);
    follower.listener.end();
  }

  /** Tells followers of one store, who are at the same position, what comes after it, up to `now`. */
  async #tell(group: Follower[], now: Position, stores: string[], limit: number): Promise<void> {
    const [{ caller, position }] = group as [Follower];
    if (!position.partly && position.seen === this.#lastSnapshot && !stores.includes(caller.storeId)) {
      return move(group, now, this.#beat(group, now));
    }
    if (!isResumable(position, now.seen)) return move(group, now, this.#script.reset(now));
    const end = position.partly ? { since: position.partly.since, seen: position.partly.snapshot } : now;
    const { added, isComplete } = await readAdditions(this.#sql, caller.storeId, position, end.seen, limit);
    const positions = added.map((one): Position => {
      return { ...position, partly: { since: end.since, snapshot: end.seen, xid: one.xid, id: idOf(one) } };
    });
    if (isComplete && added.length > 0) positions[added.length - 1] = end;
    const next = isComplete ? end : (positions.at(-1) ?? position);
    const text = added.map((one, i) => this.#script.added(one, positions[i] as Position)).join('');
    move(group, next, text || this.#beat(group, next));
  }

  #beat(group: Follower[], position: Position): string {
    const isDue = group.some(({ sentAt }) => performance.now() - sentAt >= HEARTBEAT_MS);
    return isDue ? this.#script.heartbeat(position) : '';
  }

  async #news(followers: Follower[]): Promise<News> {
    const stores = [...new Set(followers.map(({ caller }) => caller.storeId))];
    const keys = [...new Set(followers.map(({ caller }) => caller.keyId))];
    const last = this.#lastSnapshot ?? '1:1:';
    const { rows } = await sql<News>`
      select pg_current_snapshot()::text as snapshot,
        array(
          select distinct store_id::text from addition
          where store_id = any(${stores}::uuid[]) and xid >= pg_snapshot_xmin(${last}::pg_snapshot)
            and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
        ) as stores,
        array(
          select id::text from api_key
          where id = any(${keys}::uuid[]) and (revoked_at is not null or expires_at <= now())
        ) as ended`.execute(this.#sql);
    return rows[0] as News;
  }
}

function isResumable(position: Position, current: string): boolean {
  const { since, seen, partly } = position;
  return Date.now() - since < RESUMABLE_MS && isBefore(seen, current) && isBefore(partly?.snapshot ?? seen, current);
}

function move(group: Follower[], position: Position, text: string): void {
  for (const follower of group) {
    follower.position = position;
    if (text === '') continue;
    follower.sentAt = performance.now();
    follower.listener.send(text);
  }
}
