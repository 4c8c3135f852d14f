/** Milliseconds before the end at which a last attempt is due: time to take it, and to connect. */
const LEAD_MS = 5_000;

/** Times in milliseconds. `planned`: when the next attempt is due by itself; `earliest`: before which there must be none. */
export interface NextAttempt {
  planned: number;
  earliest: number;
  /** From when on there is none; null if there is no such time. */
  expiresAt: number | null;
}

/** Returns when the next attempt is due: as planned, or one last time shortly before the end. Undefined if there is no time left. */
export function nextAttemptAt({ planned, earliest, expiresAt }: NextAttempt): number | undefined {
  if (expiresAt === null || planned < expiresAt) return planned;
  const last = expiresAt - LEAD_MS;
  return last >= earliest ? last : undefined;
}
