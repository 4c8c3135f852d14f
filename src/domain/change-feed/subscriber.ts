import type { Caller } from '../caller.ts';
import type { ResumeToken } from './resume-token.ts';

/** Who follows, and takes what is written for them. */
export interface Connection {
  /** Whether it has taken what it was sent; if not it is left to fall behind. */
  isReady(): boolean;
  /** Milliseconds for which it has taken nothing of what it was sent. */
  silence(): number;
  /** Only where it is ready. `taken` is called once all of it is, or nobody is there any more to take it. */
  send(text: Buffer, taken?: () => void): void;
  end(): void;
}

/** A connection, and how far it has been told. */
export class Subscriber {
  readonly caller: Caller;
  readonly connection: Connection;
  #token: ResumeToken;
  #groupKey: string;
  /** When it was last sent something. */
  sentAt = performance.now();
  /** When it last had its turn. */
  servedAt = performance.now();
  /** Bytes that it waits for room for. */
  needs = 0;

  constructor(caller: Caller, connection: Connection, token: ResumeToken) {
    this.caller = caller;
    this.connection = connection;
    this.#token = token;
    this.#groupKey = groupKeyOf(caller, token);
  }

  get token(): ResumeToken {
    return this.#token;
  }

  /** The same for those of a store who are at the same token. */
  get groupKey(): string {
    return this.#groupKey;
  }

  advanceTo(token: ResumeToken, place: string): void {
    this.#token = token;
    this.#groupKey = place;
    this.servedAt = performance.now();
    this.needs = 0;
  }
}

/** Those of a store who are at the same token; who has waited longest comes first. */
export type SubscriberGroup = [Subscriber, ...Subscriber[]];

export function groupKeyOf({ storeId }: Caller, token: ResumeToken): string {
  return `${storeId} ${JSON.stringify(token)}`;
}
