import { isId } from '../../ids/uuid-v7.ts';
import { decode, encode } from '../reading/cursor.ts';

/**
 * How far a subscriber has read. Neither ids nor times can say that: a transaction may commit after one that began
 * later. A Postgres snapshot can, as it says which transactions are visible. Snapshots are in Postgres's text form,
 * such as `763:765:763`.
 */
export interface ResumeToken {
  /** Milliseconds of Unix time at which `seen` was current. */
  since: number;
  /** The subscriber has everything that this snapshot sees. */
  seen: string;
  /** Also, of what this later snapshot sees, everything up to a row, in the order of transactions and ids. */
  partly?: { since: number; snapshot: string; xid: string; id: string } | undefined;
}

export function formatResumeToken({ since, seen, partly }: ResumeToken): string {
  const parts = [since, seen, ...(partly ? [partly.since, partly.snapshot, partly.xid, partly.id] : [])];
  return encode(parts.join(' '));
}

/** Parses a token; undefined if the text is not one. */
export function parseResumeToken(text: string): ResumeToken | undefined {
  const [since = '', seen = '', ...rest] = decode(text)?.split(' ') ?? [];
  if (!isTime(since) || !isSnapshot(seen)) return undefined;
  const token = { since: Number(since), seen };
  if (rest.length === 0) return token;
  const [time = '', snapshot = '', xid = '', id = '', more] = rest;
  if (more !== undefined || !isTime(time) || !isSnapshot(snapshot) || !isTransaction(xid) || !isId(id))
    return undefined;
  return { ...token, partly: { since: Number(time), snapshot, xid, id } };
}

function isTime(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** Whether a snapshot can come from the same database as a current one: it has no later transactions. */
export function isSnapshotBefore(snapshot: string, current: string): boolean {
  return endOf(snapshot) <= endOf(current);
}

/** Returns the first transaction that had not begun. */
function endOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] as string);
}

function isTransaction(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

/**
 * Whether Postgres accepts a text as a snapshot: `xmin:xmax:` and the transactions in progress between them, in order.
 */
function isSnapshot(text: string): boolean {
  const [xmin = '', xmax = '', under, ...rest] = text.split(':');
  if (!isTransaction(xmin) || !isTransaction(xmax) || under === undefined || rest.length > 0) return false;
  const xids = under === '' ? [] : under.split(',');
  if (!xids.every(isTransaction)) return false;
  const running = xids.map(BigInt);
  const isInOrder = running.every((xid, i) => i === 0 || xid > (running[i - 1] as bigint));
  const [first = BigInt(xmin), last = BigInt(xmin)] = [running[0], running.at(-1)];
  return isInOrder && BigInt(xmin) <= first && (xids.length > 0 ? last < BigInt(xmax) : last <= BigInt(xmax));
}
