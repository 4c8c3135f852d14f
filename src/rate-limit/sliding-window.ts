export const WINDOW_MS = 60_000;

const ADDRESS = 'address:';

/** Returns the subject under which requests of a client address are counted. Anybody may have many addresses. */
export function addressSubject(address: string): string {
  return `${ADDRESS}${address}`;
}

export function isAddressSubject(subject: string): boolean {
  return subject.startsWith(ADDRESS);
}

export interface Admission {
  admitted: boolean;
  /** Requests that the tier allows per window. */
  limit: number;
  /** Requests still allowed in the window. */
  remaining: number;
  /** Whole seconds until the next slot frees; at least 1 if the request was refused. */
  resetSeconds: number;
}

/**
 * A sliding window: in any 60 s at most `limit` requests of a subject are admitted, and none is refused while there
 * were fewer. Refused requests do not count.
 */
export interface SlidingWindow {
  admit(subject: string, limit: number): Promise<Admission> | Admission;
  /** Uncounts the latest admitted request of a subject, as if it had not been made. */
  takeBack(subject: string): Promise<void> | void;
  /** Returns how many requests of each subject are in the window, in the given order, without counting one. */
  used(subjects: readonly string[]): Promise<number[]> | number[];
}

/** Returns an admission, given the requests in the window including this one, and when its oldest leaves it. */
export function admissionOf(admitted: boolean, limit: number, used: number, oldestLeavesInMs: number): Admission {
  const seconds = Math.ceil(oldestLeavesInMs / 1000);
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.min(WINDOW_MS / 1000, Math.max(admitted ? 0 : 1, seconds)),
  };
}
