import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { Row } from '../../db/tables.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { AttributePatch, PatchedAttributes } from '../attributes/attributes.ts';
import { isBackfill } from '../event.ts';
import { type AttributeChange, changesSince, namesIn, valuesOf } from './attribute-changes.ts';
import type { Draft } from './draft.ts';

/** A sub-select of the attributes that automations of a store watch; null if there are none. */
export function watchedNames(storeId: string): RawBuilder<unknown> {
  return sql`(select names from automation_watch where store_id = ${storeId})`;
}

export async function readWatchedNames(db: Sql, storeId: string): Promise<string[]> {
  const { rows } = await sql<Pick<Row<'automation_watch'>, 'names'>>`
    select names from automation_watch where store_id = ${storeId}`.execute(db);
  return rows[0]?.names ?? [];
}

export function insertProfileChanges(storeId: string, changes: readonly WatchedChange[]): RawBuilder<unknown> {
  return sql`
    insert into profile_change (store_id, id, profile_id, changes, depth, changed_at, is_historical, from_client,
      chain)
    select ${storeId}::uuid, id, profile_id, changes, depth, changed_at, historical = 1, client = 1, chain::uuid
    from unnest(
      ${uuids(changes.map(({ id }) => id))}::uuid[],
      ${uuids(changes.map(({ profileId }) => profileId))}::uuid[],
      ${jsonbs(changes.map((change) => change.changes))}::jsonb[],
      ${integers(changes.map(({ depth }) => depth))}::int[],
      ${timestamps(changes.map(({ changedAt }) => changedAt))}::timestamptz[],
      ${integers(changes.map(({ isHistorical }) => (isHistorical ? 1 : 0)))}::int[],
      ${integers(changes.map(({ fromClient }) => (fromClient ? 1 : 0)))}::int[],
      ${texts(changes.map(({ chain }) => chain))}::text[]
    ) as r (id, profile_id, changes, depth, changed_at, historical, client, chain)`;
}

/** A change of attributes that automations watch. */
export interface WatchedChange {
  id: string;
  profileId: string;
  changes: Record<string, AttributeChange>;
  depth: number;
  chain: string | null;
  changedAt: Date;
  /** Whether it became known as history, by which no automation starts. */
  isHistorical: boolean;
  /** Whether anybody may have made it. */
  fromClient: boolean;
}

/** Finds out what the drafts of a batch change in attributes that automations watch. */
export class WatchedChanges {
  /** In the order of the drafts. */
  readonly all: WatchedChange[] = [];
  #names: ReadonlySet<string> | undefined;
  readonly #mayChange: boolean;

  constructor(drafts: readonly Draft[]) {
    this.#mayChange = drafts.some(mayBeWatched);
  }

  /** Whether it matters which attributes are watched, and nobody has said it yet. */
  get needsNames(): boolean {
    return this.#mayChange && !this.#names;
  }

  watch(names: readonly string[]): void {
    this.#names = new Set(names);
  }

  /** Applies the draft's patch by a function that returns whether it has changed anything, and returns the same. */
  follow(draft: Draft, profileId: string, attributes: PatchedAttributes, at: Date, apply: () => boolean): boolean {
    const names = this.#watchedBy(draft, attributes);
    if (names.length === 0) return apply();
    const before = valuesOf(names, attributes);
    if (!apply()) return false;
    const changes = changesSince(before, attributes);
    const { depth = 0, chain = null, isHistorical = false, isUntrusted: fromClient = false } = draft;
    const about = { depth, chain, changedAt: at, isHistorical, fromClient };
    if (changes) this.all.push({ id: newId(), profileId, changes, ...about });
    return true;
  }

  /** Returns the watched attributes that a draft may change. */
  #watchedBy(draft: Draft, attributes: PatchedAttributes): string[] {
    if (!this.#names?.size || !mayBeWatched(draft) || attributes.isLast(draft.patch)) return [];
    return namesIn(draft.patch).filter((name) => this.#names?.has(name));
  }
}

/** Whether a draft may change attributes that matter now: those that come with a backfilled event are those of then. */
function mayBeWatched(draft: Draft): draft is Draft & { patch: AttributePatch } {
  const { patch, event } = draft;
  return patch !== undefined && namesIn(patch).length > 0 && !(event && isBackfill(event));
}
