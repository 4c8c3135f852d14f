/** The length of the sliding window. */
export const WINDOW_MS = 60_000;

const ADDRESS = 'address:';

/** The subject that requests of a client address are counted under. Anybody can come with many. */
export function addressSubject(address: string): string {
  return `${ADDRESS}${address}`;
}

export function isAddressSubject(subject: string): boolean {
  return subject.startsWith(ADDRESS);
}

export interface Admission {
  admitted: boolean;
  /** Requests that the tier allows in the window. */
  limit: number;
  /** Requests that the window still has room for. */
  remaining: number;
  /** Whole seconds until the next slot frees; at least 1 where the request was refused. */
  resetSeconds: number;
}

/**
 * A sliding window: in any 60 s no more than `limit` requests of a subject are admitted, and none is refused while
 * fewer were. Refused requests do not count.
 */
export interface SlidingWindow {
  admit(subject: string, limit: number): Promise<Admission> | Admission;
  /** How many requests of each subject are in the window, in their order. Counts none. */
  used(subjects: readonly string[]): Promise<number[]> | number[];
}

/** An admission from what a window knows: the requests in it, this one included, and when its oldest leaves it. */
export function admission(admitted: boolean, limit: number, used: number, oldestLeavesInMs: number): Admission {
  const seconds = Math.ceil(oldestLeavesInMs / 1000);
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.min(WINDOW_MS / 1000, Math.max(admitted ? 0 : 1, seconds)),
  };
}
