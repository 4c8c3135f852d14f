import type { Caller } from '../api-keys/api-keys.ts';
import type { Position } from './resume-token.ts';

/** Who follows, and takes what is written for them. */
export interface Listener {
  /** Whether it has taken what it was sent; if not it is left to fall behind. */
  isReady(): boolean;
  /** Milliseconds for which it has taken nothing of what it was sent. */
  silence(): number;
  /** Only where it is ready. `taken` is called once all of it is, or nobody is there any more to take it. */
  send(text: Buffer, taken?: () => void): void;
  end(): void;
}

/** A listener, and how far it has been told. */
export class Follower {
  readonly caller: Caller;
  readonly listener: Listener;
  #position: Position;
  #place: string;
  /** When it was last sent something. */
  sentAt = performance.now();
  /** When it last had its turn. */
  servedAt = performance.now();
  /** Bytes that it waits for room for. */
  needs = 0;

  constructor(caller: Caller, listener: Listener, position: Position) {
    this.caller = caller;
    this.listener = listener;
    this.#position = position;
    this.#place = placeOf(caller, position);
  }

  get position(): Position {
    return this.#position;
  }

  /** The same for those of a store who are at the same position. */
  get place(): string {
    return this.#place;
  }

  move(position: Position, place: string): void {
    this.#position = position;
    this.#place = place;
    this.servedAt = performance.now();
    this.needs = 0;
  }
}

/** Those of a store who are at the same position; who has waited longest comes first. */
export type Group = [Follower, ...Follower[]];

export function placeOf({ storeId }: Caller, position: Position): string {
  return `${storeId} ${JSON.stringify(position)}`;
}
