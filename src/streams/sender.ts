import type { StoreData } from '../db/store-data.ts';
import { type Change, type PositionedChange, readChanges } from '../domain/feed/changes.ts';
import { assignPositions, type FeedState } from '../domain/feed/positions.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { type NamedRejection, nameKeys } from '../domain/reading/rejections.ts';
import { type ChangeOfSegment, findSegmentChanges } from '../domain/reading/segment-changes.ts';
import { isResumable, type ResumeToken } from './resume-token.ts';
import { groupKeyOf, type StreamedKind, type Subscriber, type SubscriberGroup } from './subscriber.ts';

const HEARTBEAT_MS = 15_000;

const KB = 1024;
const MB = 1024 * KB;
/** Maximum bytes of free-form data per tick for a subscriber, beyond its first event. */
const MAX_BYTES = MB;
/** Maximum bytes of text per tick for the subscribers at one token, unless only one gets it. */
const MAX_BYTES_PER_TOKEN = 8 * MB;
/** Bytes of text that are always sent, so that other stores' unread data never blocks a store with few changes. */
const SMALL_BYTES = 64 * KB;

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

/** A store's feed during a tick, and what each of its subscribers gets of it. */
export interface StoreTurn extends FeedState {
  storeId: string;
  /** Maximum changes for each of its subscribers. */
  items: number;
}

export interface SenderOptions {
  stores: StoreData;
  encoder: EventEncoder;
  memory: SendBudget;
}

/** Sends subscribers what they have not been sent yet, those at the same token the same text. */
export class Sender {
  readonly #options: SenderOptions;
  /** Those who are still connected. */
  readonly #subscribers: ReadonlySet<Subscriber>;
  readonly #keyNames: KeyNames;

  constructor(options: SenderOptions, subscribers: ReadonlySet<Subscriber>) {
    this.#options = options;
    this.#subscribers = subscribers;
    this.#keyNames = new KeyNames(options.stores.shared);
  }

  /** Sends a group the changes after its token. `since`: when the feed was found to be as the turn has it. */
  async sendChanges(group: SubscriberGroup, turn: StoreTurn, since: number): Promise<number> {
    const { encoder, memory } = this.#options;
    const { storeId, items } = turn;
    const db = this.#options.stores.of(storeId);
    const [{ token, kinds }] = group;
    if (turn.hasNew) {
      turn.hasNew = false;
      turn.head = (await assignPositions(db, storeId)) ?? turn.head;
    }
    const head: ResumeToken = { since, entry: turn.head, items: 0 };
    if (!isResumable(token, turn.head)) {
      this.skipTo(group, head, encoder.reset(head));
      return 0;
    }
    const bytes = memory.bytesLeft(storeId) >= 2 * MAX_BYTES ? MAX_BYTES : SMALL_BYTES / 2;
    const range = { from: token, to: turn.head, kinds };
    const { changes, reached } = await readChanges(db, storeId, range, { items, bytes });
    const isUpToDate = reached.entry === turn.head;
    const next = isUpToDate ? head : { since: changes.at(-1)?.addedAt ?? token.since, ...reached };
    if (changes.length === 0) {
      this.skipTo(group, next);
      return 0;
    }
    const streamed = await this.#complete(storeId, changes);
    if (streamed.length === 0) {
      this.skipTo(group, next);
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
    const found = await findSegmentChanges(this.#options.stores.of(storeId), storeId, ofSegments);
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
  skipTo(group: SubscriberGroup, token: ResumeToken, text?: string): void {
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
}
