import type { Caller } from '../domain/caller.ts';
import type { ResumeToken } from './resume-token.ts';

/** The connection of a subscriber. */
export interface Connection {
  /** Whether everything sent has been read; if not, the subscriber falls behind. */
  isReady(): boolean;
  /** Milliseconds since it last read any of what it was sent. */
  silence(): number;
  /** Must only be called when ready. `taken` is called once the text has been read or the connection has closed. */
  send(text: Buffer, taken?: () => void): void;
  end(): void;
}

/** What subscribers may be told. */
export type StreamedKind = 'event' | 'rejection' | 'segment_change';

/** A connection and its position in the change feed. */
export class Subscriber {
  readonly caller: Caller;
  readonly connection: Connection;
  readonly kinds: readonly StreamedKind[];
  #token: ResumeToken;
  #groupKey: string;
  /** By `performance.now()`, as `servedAt`. */
  sentAt = performance.now();
  servedAt = performance.now();
  /** Bytes of budget that it waits for. */
  neededBytes = 0;

  constructor(caller: Caller, connection: Connection, kinds: readonly StreamedKind[], token: ResumeToken) {
    this.caller = caller;
    this.connection = connection;
    this.kinds = kinds;
    this.#token = token;
    this.#groupKey = groupKeyOf(this, token);
  }

  get token(): ResumeToken {
    return this.#token;
  }

  /** Equal for subscribers of one store who are told of the same at the same token. */
  get groupKey(): string {
    return this.#groupKey;
  }

  advanceTo(token: ResumeToken, groupKey: string): void {
    this.#token = token;
    this.#groupKey = groupKey;
    this.servedAt = performance.now();
    this.neededBytes = 0;
  }
}

/** The subscribers of a store who are told of the same at the same token; the one that has waited longest comes first. */
export type SubscriberGroup = [Subscriber, ...Subscriber[]];

export function groupKeyOf({ caller, kinds }: Pick<Subscriber, 'caller' | 'kinds'>, token: ResumeToken): string {
  return `${caller.storeId} ${kinds} ${JSON.stringify(token)}`;
}
