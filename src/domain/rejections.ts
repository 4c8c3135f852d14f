import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../db/binary-arrays.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { PeriodicTask } from '../engine/periodic.ts';
import { newId } from '../ids/uuid-v7.ts';
import type { Caller } from './caller.ts';
import { enter } from './feed/entries.ts';
import type { ErrorCode } from './service-error.ts';

/** A request that was refused or that failed: what was wrong with it, without any of its values. */
export interface Rejection {
  id: string;
  requestId: string;
  /** Null if it was refused before the operation was known. */
  operation: string | null;
  keyId: string;
  status: number;
  code: ErrorCode;
  field: string | null;
  message: string;
  rejectedAt: Date;
}

export type NewRejection = Omit<Rejection, 'id' | 'keyId' | 'rejectedAt'>;

interface OfStore {
  storeId: string;
  rejections: Rejection[];
}

/** Rejections kept per store. */
const MAX_KEPT = 1_000;
/** Rejections waiting to be written: the last ones per store, and the number of stores. */
const MAX_WAITING = 100;
const MAX_STORES = 1_000;
/** Milliseconds during which a node is written to after a failure. */
const PATIENCE_MS = 5_000;
/** Milliseconds that a flush waits for a node where there are several. */
const NODE_PATIENCE_MS = 1_000;

/**
 * Keeps the latest refused requests of each store. They are written periodically, and at most as many as are kept:
 * refusing a request costs the service no more than serving it, and so can't overload it.
 */
export class RejectionLog {
  readonly periodic: PeriodicTask = {
    failure: 'refused requests not written',
    everyMs: 1_000,
    alsoAt: 'end',
    run: () => this.flush(),
  };
  readonly #stores: StoreData;
  #waiting = new Map<string, Rejection[]>();
  /** By the node that is written to. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(stores: StoreData) {
    this.#stores = stores;
  }

  add({ storeId, actor }: Caller, rejection: NewRejection): void {
    const waiting = this.#waiting.get(storeId) ?? [];
    if (waiting.length === 0 && this.#waiting.size >= MAX_STORES) return;
    this.#waiting.set(storeId, waiting);
    const { field, message } = rejection;
    const texts = { field: field && storable(field), message: storable(message) };
    waiting.push({ ...rejection, ...texts, id: newId(), keyId: actor.id, rejectedAt: new Date() });
    if (waiting.length > MAX_WAITING) waiting.shift();
  }

  /**
   * Writes what is waiting, to all nodes at the same time. What is for a node that is still being written to goes on
   * waiting, so that a node that hangs delays its own stores only. Rejections that can't be written are lost: those of
   * one store, or of all remaining ones of a node after `PATIENCE_MS`.
   */
  async flush(): Promise<void> {
    const failures: unknown[] = [];
    const nodes = new Map<string, string>();
    for (const storeId of this.#waiting.keys()) {
      const node = await this.#stores.findNode(storeId).catch((error) => void failures.push(error));
      if (failures.length > 0) break;
      if (node !== undefined && !this.#writing.has(node)) nodes.set(storeId, node);
    }
    for (const [node, storeIds] of Map.groupBy(nodes.keys(), (storeId) => nodes.get(storeId) as string)) {
      const ofStores = storeIds.map((storeId) => this.#take(storeId));
      const writing = this.#write(ofStores).finally(() => this.#writing.delete(node));
      this.#writing.set(node, writing);
    }
    const outcomes = await Promise.allSettled([...this.#writing].map(([node, writing]) => inTime(node, writing)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
    if (failures.length > 0) throw failures[0];
  }

  #take(storeId: string): OfStore {
    const rejections = this.#waiting.get(storeId) as Rejection[];
    this.#waiting.delete(storeId);
    return { storeId, rejections };
  }

  async #write(ofStores: OfStore[]): Promise<void> {
    const failures: unknown[] = [];
    const end = performance.now() + PATIENCE_MS;
    for (const { storeId, rejections } of ofStores) {
      if (failures.length > 0 && performance.now() > end) break;
      await write(this.#stores.of(storeId), storeId, rejections).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Fails where one node of several takes too long; a server that is the only one has no name, and is waited for. */
async function inTime(node: string, writing: Promise<void>): Promise<void> {
  if (node === '') return await writing;
  const late = sleep(NODE_PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('A node does not respond in time');
  });
  await Promise.race([writing, late]);
}

/** Field names are the client's; Postgres accepts neither NUL nor a lone surrogate. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

async function write(db: Sql, storeId: string, rejections: Rejection[]): Promise<void> {
  const ids = rejections.map(({ id }) => id);
  await sql`
    with entered as (${enter(storeId, 'rejection', rejections)})
    insert into rejection
      (store_id, id, request_id, operation, key_id, status, code, field, message, rejected_at)
    select ${storeId}::uuid, *
    from unnest(
      ${uuids(ids)}::uuid[],
      ${uuids(rejections.map(({ requestId }) => requestId))}::uuid[],
      ${texts(rejections.map(({ operation }) => operation))}::text[],
      ${uuids(rejections.map(({ keyId }) => keyId))}::uuid[],
      ${integers(rejections.map(({ status }) => status))}::int[],
      ${texts(rejections.map(({ code }) => code))}::text[],
      ${texts(rejections.map(({ field }) => field))}::text[],
      ${texts(rejections.map(({ message }) => message))}::text[],
      ${timestamps(rejections.map(({ rejectedAt }) => rejectedAt))}::timestamptz[])`.execute(db);
  await sql`
    delete from rejection
    where store_id = ${storeId} and id <= (
      select id from rejection where store_id = ${storeId} order by id desc offset ${MAX_KEPT} limit 1
    )`.execute(db);
}
