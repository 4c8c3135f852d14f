import { sql } from 'kysely';
import { isDatabaseError, isStatementError } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import { SILENCE_MS } from '../../process/limits.ts';
import type { Caller } from '../api-keys/api-keys.ts';
import { type Added, type Amount, idOf, readAdditions } from './changes.ts';
import { isBefore, type Position } from './resume-token.ts';
import { Follower, type Group, type Listener, placeOf } from './subscriber.ts';
import { Places } from './subscription-slots.ts';

/** How often the database is asked for what is new, while somebody follows. */
export const TICK_MS = 250;
/** How far back a follower may resume, in milliseconds; what was added is kept a little longer. */
const RESUMABLE_MS = 10 * 60 * 1000;
export const KEPT_MS = RESUMABLE_MS + 5 * 60 * 1000;
const HEARTBEAT_MS = 15_000;

/** Things that a follower gets in one tick, at most, and all of them together: to tell all of a flood would slow it. */
const MAX_PER_TICK = 200;
const MAX_TOLD_PER_TICK = 2_000;
/** What each gets in any case. */
const MIN_PER_TICK = 10;

const KB = 1024;
const MB = 1024 * KB;
/** Bytes of free-form data that a follower gets in one tick, beyond its first event. */
const MAX_BYTES = MB;
/** Bytes of text that those at the same position get in one tick, unless only one does; and after which a tick ends. */
const MAX_BYTES_OF_POSITION = 8 * MB;
const MAX_BYTES_PER_TICK = 32 * MB;
/** Bytes of text that find room in any case: so that stores with little news have it whatever others leave unread. */
const SMALL = 64 * KB;

/** Positions of one store that are worked on in one tick, and milliseconds after which no further one is. */
const MAX_POSITIONS_OF_STORE = 10;
const MAX_MS_OF_STORE = 100;

/** How what happens is written for those who follow; once for all of them. */
export interface Script {
  added(added: Added, position: Position): string;
  /** What came before the position is not followed. */
  reset(position: Position): string;
  /** Nothing happened. */
  heartbeat(position: Position): string;
}

/** The memory for what clients were sent and have not taken. */
export interface Memory {
  /** Bytes that may still be sent to a store. */
  room(storeId: string): number;
  take(storeId: string, bytes: number): void;
  release(storeId: string, bytes: number): void;
}

export interface FeedParts {
  sql: Sql;
  script: Script;
  memory: Memory;
  /** Told why somebody could not be served, and was ended. */
  onFailure: (error: unknown, storeId: string) => void;
}

interface News {
  snapshot: string;
  /** Stores that have something new since the tick before. */
  stores: string[];
  /** Keys that are no longer valid. */
  ended: string[];
}

/** A store's part in a tick. */
interface Turn {
  storeId: string;
  groups: Group[];
  /** Things that each of its followers gets. */
  items: number;
  /** Milliseconds that are left for it. */
  left: number;
}

/**
 * Tells what is stored, by whichever process, to those who follow it: asks the database again and again, once for all
 * who are at the same position. Stores take turns, and what goes wrong for one follower is told to nobody else.
 */
export class Feed {
  readonly #parts: FeedParts;
  readonly #places = new Places();
  readonly #followers = new Set<Follower>();
  #lastSnapshot: string | undefined;
  #hasEnded = false;

  constructor(parts: FeedParts) {
    this.#parts = parts;
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
      const follower = new Follower(caller, listener, position);
      const { script } = this.#parts;
      listener.send(Buffer.from(from && position === now ? script.reset(now) : script.heartbeat(position)));
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

  /** Tells everybody what is new. Rejects where the database is gone. */
  async tick(): Promise<void> {
    for (const follower of this.#followers) {
      if (follower.listener.silence() >= SILENCE_MS) this.#end(follower);
    }
    if (this.#followers.size === 0) return;
    const at = Date.now();
    const { snapshot, stores, ended } = await this.#news([...this.#followers]);
    for (const follower of this.#followers) {
      if (ended.includes(follower.caller.keyId)) this.#end(follower);
    }
    const now = { since: at, seen: snapshot };
    const ready = [...this.#followers].filter(({ listener }) => listener.isReady());
    const inOrder = ready.sort((a, b) => a.servedAt - b.servedAt);
    const behind: Group[] = [];
    for (const group of Map.groupBy(inOrder, ({ place }) => place).values() as Iterable<Group>) {
      const [{ caller, position }] = group;
      const isUpToDate = !position.partly && position.seen === this.#lastSnapshot && !stores.includes(caller.storeId);
      if (isUpToDate) this.#pass(group, now);
      else if (group.every(({ needs }) => needs <= this.#parts.memory.room(caller.storeId))) behind.push(group);
    }
    await this.#serve(behind, now);
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

  /** Serves groups in turn with those of other stores, until the tick is full. Who has no turn has the next one. */
  async #serve(groups: Group[], now: Position): Promise<void> {
    const ofStores = Map.groupBy(groups, ([{ caller }]) => caller.storeId);
    const turns = [...ofStores].map(([storeId, own]): Turn => {
      const items = Math.floor(MAX_TOLD_PER_TICK / ofStores.size / own.flat().length);
      return {
        storeId,
        groups: own,
        items: Math.max(MIN_PER_TICK, Math.min(MAX_PER_TICK, items)),
        left: MAX_MS_OF_STORE,
      };
    });
    let sent = 0;
    for (let round = 0; round < MAX_POSITIONS_OF_STORE; round += 1) {
      for (const turn of turns) {
        const group = turn.groups[round];
        if (!group || turn.left <= 0 || sent >= MAX_BYTES_PER_TICK) continue;
        const start = performance.now();
        sent += await this.#tryToTell(group, turn, now);
        turn.left -= performance.now() - start;
      }
    }
  }

  /** The bytes that were sent. What goes wrong ends it for the group, unless nobody could be served. */
  async #tryToTell(group: Group, turn: Turn, now: Position): Promise<number> {
    try {
      return await this.#tell(group, turn, now);
    } catch (error) {
      if (isDatabaseError(error) && !isStatementError(error)) throw error;
      for (const follower of group) this.#end(follower);
      this.#parts.onFailure(error, turn.storeId);
      return 0;
    }
  }

  /** Tells a group what comes after its position, up to `now`. */
  async #tell(group: Group, { storeId, items, left }: Turn, now: Position): Promise<number> {
    const { sql: db, script, memory } = this.#parts;
    const [{ position }] = group;
    if (!isResumable(position, now.seen)) {
      this.#pass(group, now, script.reset(now));
      return 0;
    }
    const end = position.partly ? { since: position.partly.since, seen: position.partly.snapshot } : now;
    const bytes = memory.room(storeId) >= 2 * MAX_BYTES ? MAX_BYTES : SMALL / 2;
    const amount: Amount = { items, bytes, milliseconds: left };
    const { added, reached } = await readAdditions(db, storeId, position, end.seen, amount);
    const positionAt = (xid: string, id: string): Position => {
      return { ...position, partly: { since: end.since, snapshot: end.seen, xid, id } };
    };
    const next = reached ? positionAt(reached.xid, reached.id) : end;
    if (added.length === 0) {
      this.#pass(group, next);
      return 0;
    }
    const last = added.length - 1;
    const messages = added.map((one, i) => script.added(one, i === last ? next : positionAt(one.xid, idOf(one))));
    return this.#send(group, Buffer.from(messages.join('')), next);
  }

  /** Sends a text to as many of a group as there is room for, and moves them. Answers the bytes. */
  #send(group: Group, text: Buffer, next: Position): number {
    const { memory } = this.#parts;
    const { caller } = group[0];
    const { storeId } = caller;
    const place = placeOf(caller, next);
    let sent = 0;
    for (const follower of this.#stillIn(group)) {
      const isTooMuch = text.length > memory.room(storeId) || (sent > 0 && sent + text.length > MAX_BYTES_OF_POSITION);
      if (text.length > SMALL && isTooMuch) {
        follower.needs = text.length;
        continue;
      }
      sent += text.length;
      memory.take(storeId, text.length);
      follower.listener.send(text, () => memory.release(storeId, text.length));
      follower.sentAt = performance.now();
      follower.move(next, place);
    }
    return sent;
  }

  /** Those of a group who have not left meanwhile. */
  #stillIn(group: Group): Follower[] {
    return group.filter((follower) => this.#followers.has(follower));
  }

  /** Moves a group past what is nothing to it, and tells that now and then. */
  #pass(group: Group, position: Position, text?: string): void {
    const place = placeOf(group[0].caller, position);
    const isDue = group.some(({ sentAt }) => performance.now() - sentAt >= HEARTBEAT_MS);
    const said = text ?? (isDue ? this.#parts.script.heartbeat(position) : undefined);
    const bytes = said === undefined ? undefined : Buffer.from(said);
    for (const follower of this.#stillIn(group)) {
      follower.move(position, place);
      if (!bytes) continue;
      follower.listener.send(bytes);
      follower.sentAt = performance.now();
    }
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
        ) as ended`.execute(this.#parts.sql);
    return rows[0] as News;
  }
}

function isResumable(position: Position, current: string): boolean {
  const { since, seen, partly } = position;
  return (
    Math.abs(Date.now() - since) < RESUMABLE_MS &&
    isBefore(seen, current) &&
    isBefore(partly?.snapshot ?? seen, current)
  );
}
