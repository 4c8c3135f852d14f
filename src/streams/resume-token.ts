import { RESUMABLE_MS } from '../domain/feed/delete-old.ts';
import type { FeedPosition } from '../domain/feed/positions.ts';
import { decode, encode } from '../domain/reading/cursor.ts';

/** How far a subscriber has read, and when that was the end of the feed or close to it. */
export interface ResumeToken extends FeedPosition {
  /** Milliseconds of Unix time. */
  since: number;
}

/** Of a token that a version before has made: it can't be resumed from. */
const OUTDATED: ResumeToken = { since: 0, entry: 0, items: 0 };
/** Such a token has a Postgres snapshot. */
const OUTDATED_FORMAT = /^\d{1,15} \d{1,18}:\d{1,18}:[\d,]*( |$)/;

export function formatResumeToken({ since, entry, items }: ResumeToken): string {
  return encode(`${since} ${entry} ${items}`);
}

/** Parses a token; undefined if the text is not one. */
export function parseResumeToken(text: string): ResumeToken | undefined {
  const decoded = decode(text) ?? '';
  if (OUTDATED_FORMAT.test(decoded)) return OUTDATED;
  const [, since, entry, items] = /^(\d{1,15}) (\d{1,15}) (\d{1,9})$/.exec(decoded) ?? [];
  if (since === undefined) return undefined;
  return { since: Number(since), entry: Number(entry), items: Number(items) };
}

/** Whether the feed still has what comes after a token; `head` is its end. */
export function isResumable({ since, entry, items }: ResumeToken, head: number): boolean {
  return Math.abs(Date.now() - since) < RESUMABLE_MS && (entry < head || (entry === head && items === 0));
}
