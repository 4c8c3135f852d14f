import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isDatabaseError, isStatementError } from '../db/driver-errors.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Caller } from '../domain/caller.ts';
import { type Change, type PositionedChange, readChanges } from '../domain/feed/changes.ts';
import { RESUMABLE_MS } from '../domain/feed/delete-old.ts';
import { assignAllPositions, assignPositions, type FeedState, readFeeds } from '../domain/feed/positions.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { type NamedRejection, nameKeys } from '../domain/reading/rejections.ts';
import { type ChangeOfSegment, findSegmentChanges } from '../domain/reading/segment-changes.ts';
import type { PeriodicTask } from '../engine/periodic.ts';
import { SILENCE_MS } from '../process/limits.ts';
import type { ResumeToken } from './resume-token.ts';
import { type Connection, groupKeyOf, type StreamedKind, Subscriber, type SubscriberGroup } from './subscriber.ts';
import { SubscriptionSlots } from './subscription-slots.ts';

/** Milliseconds between two polls of the database while there are subscribers. */
const TICK_MS = 250;
const HEARTBEAT_MS = 15_000;
/** Milliseconds that a tick waits for a server, where there are several. */
const PATIENCE_MS = 500;

/** What subscribers are told if they do not say what. */
const DEFAULT_KINDS: readonly StreamedKind[] = ['event', 'rejection'];

/**
 * Maximum changes per tick for each subscriber, and for all of them together: a flood must not slow the service down.
 */
const MAX_PER_TICK = 200;
const MAX_TOTAL_PER_TICK = 2_000;
/** Changes per tick that each subscriber gets in any case. */
const MIN_PER_TICK = 10;

const KB = 1024;
const MB = 1024 * KB;
/** Maximum bytes of free-form data per tick for a subscriber, beyond its first event. */
const MAX_BYTES = MB;
/**
 * Maximum bytes of text per tick for the subscribers at one token, unless only one gets it; and bytes after which a
 * tick ends.
 */
const MAX_BYTES_PER_TOKEN = 8 * MB;
const MAX_BYTES_PER_TICK = 32 * MB;
/** Bytes of text that are always sent, so that other stores' unread data never blocks a store with few changes. */
const SMALL_BYTES = 64 * KB;

/** Groups of one store that are served in one tick, and milliseconds after which no further one is. */
const MAX_GROUPS_PER_STORE = 10;
const MAX_MS_PER_STORE = 100;

type StreamedChange =
  | Extract<Change, { kind: 'event' }>
  | { kind: 'rejection'; rejection: NamedRejection }
  | { kind: 'segment_change'; change: ChangeOfSegment };
type PositionedStreamedChange = StreamedChange & Pick<PositionedChange, 'position' | 'addedAt'>;

/** Encodes what subscribers are sent, once for all of them. */
export interface EventEncoder {
  change(change: StreamedChange, token: ResumeToken): string;
  /** Changes before the token are skipped. */
  reset(token: ResumeToken): string;
  /** Nothing has changed. */
  heartbeat(token: ResumeToken): string;
}

/** The memory for data that was sent and that clients have not read. */
export interface SendBudget {
  /** Returns the bytes that may still be sent to a store's subscribers. */
  bytesLeft(storeId: string): number;
  take(storeId: string, bytes: number): void;
  release(storeId: string, bytes: number): void;
}

export interface ChangeFeedOptions {
  stores: StoreData;
  encoder: EventEncoder;
  memory: SendBudget;
  /** Called with the reason when subscribers could not be served and were disconnected. */
  onFailure: (error: unknown, storeId: string) => void;
}

/** The state of feeds as far as they could be read, which keys are no longer valid, and what failed. */
interface Poll {
  feeds: ReadonlyMap<string, FeedState>;
  ended: string[];
  failures: unknown[];
}

/** A store's share of a tick. */
interface StoreTurn extends FeedState {
  storeId: string;
  groups: SubscriberGroup[];
  /** Maximum changes for each of its subscribers. */
  items: number;
  /** Milliseconds left. */
  left: number;
}

/**
 * Sends what any process stores to the subscribers: polls the database, once for all subscribers at the same token.
 * Stores take turns, and a failure affects only the subscribers at that token.
 */
export class ChangeFeed {
  readonly periodic: PeriodicTask = { failure: 'streams not served', everyMs: TICK_MS, run: () => this.tick() };
  readonly #options: ChangeFeedOptions;
  readonly #slots = new SubscriptionSlots();
  readonly #subscribers = new Set<Subscriber>();
  /** Stores whose feed is being read, or the keys, perhaps for some ticks. */
  readonly #late = new Set<string>();
  readonly #keyNames: KeyNames;
  #isClosed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#keyNames = new KeyNames(options.stores.shared);
  }

  /**
   * Subscribes to the caller's store from a token, or from now; the returned function unsubscribes. Throws if there is
   * no free slot, or if the signal is aborted before the subscription begins.
   */
  async subscribe(
    caller: Caller,
    connection: Connection,
    from: ResumeToken | undefined,
    signal: AbortSignal,
    kinds = DEFAULT_KINDS,
  ): Promise<() => void> {
    const releaseSlot = this.#slots.take(caller);
    try {
      const since = Date.now();
      const now = { since, entry: await assignAllPositions(this.#of(caller.storeId), caller.storeId), items: 0 };
      signal.throwIfAborted();
      const token = from && isResumable(from, now.entry) ? from : now;
      const subscriber = new Subscriber(caller, connection, kinds, token);
      const { encoder } = this.#options;
      connection.send(Buffer.from(from && token === now ? encoder.reset(now) : encoder.heartbeat(token)));
      if (this.#isClosed) connection.end();
      else this.#subscribers.add(subscriber);
      return () => {
        this.#subscribers.delete(subscriber);
        releaseSlot();
      };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  /** Sends all subscribers what is new. Rejects if the database is unavailable. */
  async tick(): Promise<void> {
    for (const subscriber of this.#subscribers) {
      if (subscriber.connection.silence() >= SILENCE_MS) this.#closeSubscriber(subscriber);
    }
    if (this.#subscribers.size === 0) return;
    const since = Date.now();
    const { feeds, ended, failures } = await this.#poll([...this.#subscribers]);
    for (const subscriber of this.#subscribers) {
      if (ended.includes(subscriber.caller.keyId)) this.#closeSubscriber(subscriber);
    }
    const ready = [...this.#subscribers].filter(({ connection }) => connection.isReady());
    const inOrder = ready.sort((a, b) => a.servedAt - b.servedAt);
    const outdated: SubscriberGroup[] = [];
    for (const group of Map.groupBy(inOrder, ({ groupKey }) => groupKey).values() as Iterable<SubscriberGroup>) {
      const [{ caller, token }] = group;
      const feed = feeds.get(caller.storeId);
      const hasJustCome = !feed || token.entry > feed.head;
      if (hasJustCome) continue;
      if (token.entry === feed.head && token.items === 0 && !feed.hasNew) this.#skipTo(group, { ...token, since });
      else if (group.every(({ neededBytes }) => neededBytes <= this.#options.memory.bytesLeft(caller.storeId)))
        outdated.push(group);
    }
    await this.#serveGroups(outdated, feeds, since);
    if (failures.length > 0) throw failures[0];
  }

  /** Disconnects all subscribers, and any that are still to come. */
  close(): void {
    this.#isClosed = true;
    for (const subscriber of this.#subscribers) this.#closeSubscriber(subscriber);
  }

  #closeSubscriber(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    subscriber.connection.end();
  }

  /** Serves groups, store by store in turn, until the tick is full. Groups left over come first in the next tick. */
  async #serveGroups(groups: SubscriberGroup[], feeds: ReadonlyMap<string, FeedState>, since: number): Promise<void> {
    const ofStores = Map.groupBy(groups, ([{ caller }]) => caller.storeId);
    const turns = [...ofStores].map(([storeId, own]): StoreTurn => {
      const items = Math.floor(MAX_TOTAL_PER_TICK / ofStores.size / own.flat().length);
      return {
        ...(feeds.get(storeId) as FeedState),
        storeId,
        groups: own,
        items: Math.max(MIN_PER_TICK, Math.min(MAX_PER_TICK, items)),
        left: MAX_MS_PER_STORE,
      };
    });
    let sent = 0;
    for (let round = 0; round < MAX_GROUPS_PER_STORE; round += 1) {
      for (const turn of turns) {
        const group = turn.groups[round];
        if (!group || turn.left <= 0 || sent >= MAX_BYTES_PER_TICK) continue;
        const start = performance.now();
        sent += await this.#trySendChanges(group, turn, since);
        turn.left -= performance.now() - start;
      }
    }
  }

  /** Returns the bytes sent. A failure disconnects the group, unless the database is unavailable to all. */
  async #trySendChanges(group: SubscriberGroup, turn: StoreTurn, since: number): Promise<number> {
    try {
      return await this.#sendChanges(group, turn, since);
    } catch (error) {
      if (isDatabaseError(error) && !isStatementError(error)) throw error;
      for (const subscriber of group) this.#closeSubscriber(subscriber);
      this.#options.onFailure(error, turn.storeId);
      return 0;
    }
  }

  /** Sends a group the changes after its token. `since`: when the feed was found to be as the turn has it. */
  async #sendChanges(group: SubscriberGroup, turn: StoreTurn, since: number): Promise<number> {
    const { encoder, memory } = this.#options;
    const { storeId, items } = turn;
    const db = this.#of(storeId);
    const [{ token, kinds }] = group;
    if (turn.hasNew) {
      turn.hasNew = false;
      turn.head = (await assignPositions(db, storeId)) ?? turn.head;
    }
    const head: ResumeToken = { since, entry: turn.head, items: 0 };
    if (!isResumable(token, turn.head)) {
      this.#skipTo(group, head, encoder.reset(head));
      return 0;
    }
    const bytes = memory.bytesLeft(storeId) >= 2 * MAX_BYTES ? MAX_BYTES : SMALL_BYTES / 2;
    const range = { from: token, to: turn.head, kinds };
    const { changes, reached } = await readChanges(db, storeId, range, { items, bytes });
    const isUpToDate = reached.entry === turn.head;
    const next = isUpToDate ? head : { since: changes.at(-1)?.addedAt ?? token.since, ...reached };
    if (changes.length === 0) {
      this.#skipTo(group, next);
      return 0;
    }
    const streamed = await this.#complete(storeId, changes);
    if (streamed.length === 0) {
      this.#skipTo(group, next);
      return 0;
    }
    const messages = streamed.map((change, i) =>
      encoder.change(change, i === streamed.length - 1 ? next : { since: change.addedAt, ...change.position }),
    );
    return this.#sendToGroup(group, Buffer.from(messages.join('')), next);
  }

  /** Adds what is told about changes beside what the feed has; of a deleted segment there is nothing. */
  async #complete(storeId: string, changes: PositionedChange<StreamedKind>[]): Promise<PositionedStreamedChange[]> {
    const rejections = changes.flatMap((change) => (change.kind === 'rejection' ? [change.rejection] : []));
    const ofSegments = changes.flatMap((change) => (change.kind === 'segment_change' ? [change.id] : []));
    const named = await nameKeys(this.#keyNames, storeId, rejections);
    const found = await findSegmentChanges(this.#of(storeId), storeId, ofSegments);
    return changes.flatMap((one): PositionedStreamedChange[] => {
      if (one.kind === 'event') return [one];
      if (one.kind === 'rejection') return [{ ...one, rejection: named.shift() as NamedRejection }];
      const change = found.get(one.id);
      return change ? [{ ...one, change }] : [];
    });
  }

  /** Sends a text to as many subscribers of a group as the budget allows, and advances them. Returns the bytes sent. */
  #sendToGroup(group: SubscriberGroup, text: Buffer, next: ResumeToken): number {
    const { memory } = this.#options;
    const { storeId } = group[0].caller;
    const groupKey = groupKeyOf(group[0], next);
    let sent = 0;
    for (const subscriber of this.#connectedOf(group)) {
      const isTooMuch =
        text.length > memory.bytesLeft(storeId) || (sent > 0 && sent + text.length > MAX_BYTES_PER_TOKEN);
      if (text.length > SMALL_BYTES && isTooMuch) {
        subscriber.neededBytes = text.length;
        continue;
      }
      sent += text.length;
      memory.take(storeId, text.length);
      subscriber.connection.send(text, () => memory.release(storeId, text.length));
      subscriber.sentAt = performance.now();
      subscriber.advanceTo(next, groupKey);
    }
    return sent;
  }

  /** Returns the subscribers of a group who are still connected. */
  #connectedOf(group: SubscriberGroup): Subscriber[] {
    return group.filter((subscriber) => this.#subscribers.has(subscriber));
  }

  /** Advances a group past changes that do not concern it, and sends a heartbeat if one is due. */
  #skipTo(group: SubscriberGroup, token: ResumeToken, text?: string): void {
    const groupKey = groupKeyOf(group[0], token);
    const isDue = group.some(({ sentAt }) => performance.now() - sentAt >= HEARTBEAT_MS);
    const message = text ?? (isDue ? this.#options.encoder.heartbeat(token) : undefined);
    const bytes = message === undefined ? undefined : Buffer.from(message);
    for (const subscriber of this.#connectedOf(group)) {
      subscriber.advanceTo(token, groupKey);
      if (!bytes) continue;
      subscriber.connection.send(bytes);
      subscriber.sentAt = performance.now();
    }
  }

  /** Asks for the feeds of the subscribers' stores, and for their keys. */
  async #poll(subscribers: Subscriber[]): Promise<Poll> {
    const keys = [...new Set(subscribers.map(({ caller }) => caller.keyId))];
    const { stores } = this.#options;
    const groups = stores.groupStores([...new Set(subscribers.map(({ caller }) => caller.storeId))]);
    const hasOthers = groups.length > 1;
    const [keysPoll, ...polls] = await Promise.allSettled([
      this.#inTime('keys', hasOthers, () => findEnded(stores.shared, keys)),
      ...groups.map(({ db, storeIds }) =>
        this.#inTime(storeIds[0] as string, hasOthers, () => readFeeds(db, storeIds)),
      ),
    ]);
    return {
      feeds: new Map(polls.flatMap((poll) => (poll.status === 'fulfilled' ? [...(poll.value ?? [])] : []))),
      ended: keysPoll.status === 'fulfilled' ? (keysPoll.value ?? []) : [],
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

  #of(storeId: string): Sql {
    return this.#options.stores.of(storeId);
  }
}

/** Returns those of some keys that are no longer valid. */
async function findEnded(db: Sql, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from api_key where id = any(${keys}::uuid[]) and (revoked_at is not null or expires_at <= now())`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

function isResumable({ since, entry, items }: ResumeToken, head: number): boolean {
  return Math.abs(Date.now() - since) < RESUMABLE_MS && (entry < head || (entry === head && items === 0));
}
