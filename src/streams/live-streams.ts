import { isDatabaseError, isStatementError } from '../db/driver-errors.ts';
import type { Caller } from '../domain/caller.ts';
import { assignAllPositions, type FeedState } from '../domain/feed/positions.ts';
import type { PeriodicTask } from '../engine/periodic.ts';
import { SILENCE_MS } from '../process/limits.ts';
import { Polls, proofOf } from './poll.ts';
import { isResumable, type ResumeToken } from './resume-token.ts';
import { Sender, type SenderOptions, type StoreTurn } from './sender.ts';
import { type Connection, type StreamedKind, Subscriber, type SubscriberGroup } from './subscriber.ts';
import { SubscriptionSlots } from './subscription-slots.ts';

/** Milliseconds between two polls of the database while there are subscribers. */
const TICK_MS = 250;

/** What subscribers are told if they do not say what. */
const DEFAULT_KINDS: readonly StreamedKind[] = ['event', 'rejection'];

/**
 * Maximum changes per tick for each subscriber, and for all of them together: a flood must not slow the service down.
 */
const MAX_PER_TICK = 200;
const MAX_TOTAL_PER_TICK = 2_000;
/** Changes per tick that each subscriber gets in any case. */
const MIN_PER_TICK = 10;

/** Bytes of text after which a tick ends. */
const MAX_BYTES_PER_TICK = 32 * 1024 * 1024;

/** Groups of one store that are served in one tick, and milliseconds after which no further one is. */
const MAX_GROUPS_PER_STORE = 10;
const MAX_MS_PER_STORE = 100;

export interface LiveStreamsOptions extends SenderOptions {
  /** Called with the reason when subscribers could not be served and were disconnected. */
  onFailure: (error: unknown, storeId: string) => void;
}

/** A store's share of a tick. */
interface Share extends StoreTurn {
  groups: SubscriberGroup[];
  /** Milliseconds left. */
  left: number;
}

/**
 * Sends what any process stores to the subscribers: polls the database, once for all subscribers at the same token.
 * Stores take turns, and a failure affects only the subscribers at that token.
 */
export class LiveStreams {
  readonly periodic: PeriodicTask = { failure: 'streams not served', everyMs: TICK_MS, run: () => this.tick() };
  readonly #options: LiveStreamsOptions;
  readonly #slots = new SubscriptionSlots();
  readonly #subscribers = new Set<Subscriber>();
  readonly #polls: Polls;
  readonly #sender: Sender;
  #isClosed = false;

  constructor(options: LiveStreamsOptions) {
    this.#options = options;
    this.#polls = new Polls(options.stores);
    this.#sender = new Sender(options, this.#subscribers);
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
    const { stores, encoder } = this.#options;
    const releaseSlot = this.#slots.take(caller);
    try {
      const since = Date.now();
      const now = { since, entry: await assignAllPositions(stores.of(caller.storeId), caller.storeId), items: 0 };
      signal.throwIfAborted();
      const token = from && isResumable(from, now.entry) ? from : now;
      const subscriber = new Subscriber(caller, connection, kinds, token);
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
    const { feeds, ended, failures } = await this.#polls.poll([...this.#subscribers]);
    for (const subscriber of this.#subscribers) {
      if (ended.has(proofOf(subscriber.caller))) this.#closeSubscriber(subscriber);
    }
    const ready = [...this.#subscribers].filter(({ connection }) => connection.isReady());
    const inOrder = ready.sort((a, b) => a.servedAt - b.servedAt);
    const outdated: SubscriberGroup[] = [];
    for (const group of Map.groupBy(inOrder, ({ groupKey }) => groupKey).values() as Iterable<SubscriberGroup>) {
      const [{ caller, token }] = group;
      const feed = feeds.get(caller.storeId);
      const hasJustCome = !feed || token.entry > feed.head;
      if (hasJustCome) continue;
      if (token.entry === feed.head && token.items === 0 && !feed.hasNew)
        this.#sender.skipTo(group, { ...token, since });
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
    const turns = [...ofStores].map(([storeId, own]): Share => {
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
  async #trySendChanges(group: SubscriberGroup, turn: Share, since: number): Promise<number> {
    try {
      return await this.#sender.sendChanges(group, turn, since);
    } catch (error) {
      if (isDatabaseError(error) && !isStatementError(error)) throw error;
      for (const subscriber of group) this.#closeSubscriber(subscriber);
      this.#options.onFailure(error, turn.storeId);
      return 0;
    }
  }
}
