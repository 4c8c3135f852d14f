import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { Row } from '../../db/tables.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { AttributePatch, PatchedAttributes } from '../attributes/attributes.ts';
import type { IdentifierKind } from '../identifiers.ts';
import { type AttributeChange, changesSince, namesIn, valuesOf } from './attribute-changes.ts';

/** Who changes a customer, and how. */
export interface Origin extends Pick<Row<'profile_history'>, 'surface' | 'operation' | 'actor'> {}

type Pair = [IdentifierKind, string];

/** What has changed of the identifiers of a customer. */
export interface IdentifierChanges {
  /** Those by which the customer can be found since, and no longer. */
  gained: Pair[];
  lost: Pair[];
  /** Those that are shown of the customer, by their kind. */
  shown: { [Kind in IdentifierKind]?: { from: string | null; to: string | null } };
}

/** A change of a customer, in a store that keeps them. */
export interface HistoryEntry {
  id: string;
  profileId: string;
  changedAt: Date;
  origin: Origin;
  created: boolean;
  attributes: Record<string, AttributeChange>;
  identifiers: IdentifierChanges;
}

/** Gathers what the drafts of a batch change that say who sent them: those of stores that keep it. */
export class HistoryOfBatch {
  /** In the order of the drafts; some have changed nothing. */
  readonly #entries: HistoryEntry[] = [];
  /** What the draft that is applied has changed of attributes. */
  #attributes: HistoryEntry['attributes'] = {};

  /** The changes, in the order of the drafts. */
  get all(): HistoryEntry[] {
    return this.#entries.filter(hasChanges);
  }

  /** Applies a patch by a function that returns whether it has changed anything, and returns the same. */
  follow(patch: AttributePatch, attributes: PatchedAttributes, apply: () => boolean): boolean {
    const before = valuesOf(attributes.isLast(patch) ? [] : namesIn(patch), attributes);
    if (!apply()) return false;
    this.#attributes = changesSince(before, attributes) ?? {};
    return true;
  }

  /** Enters a draft that was applied. */
  add(
    about: Pick<HistoryEntry, 'profileId' | 'changedAt' | 'origin' | 'created'>,
    identifiers: IdentifierChanges,
  ): void {
    this.#entries.push({ id: newId(), ...about, attributes: this.#attributes, identifiers });
    this.#attributes = {};
  }

  /** The customer of the last draft can no longer be found by an identifier. */
  lose(identifier: Pair): void {
    this.#entries.at(-1)?.identifiers.lost.push(identifier);
  }
}

function hasChanges({ created, attributes, identifiers: { gained, lost, shown } }: HistoryEntry): boolean {
  return (
    created || gained.length + lost.length > 0 || Object.keys(attributes).length > 0 || Object.keys(shown).length > 0
  );
}

export function insertHistory(storeId: string, entries: readonly HistoryEntry[]): RawBuilder<unknown> {
  return sql`
    insert into profile_history (store_id, id, profile_id, changed_at, surface, operation, actor, created, attributes,
      identifiers)
    select ${storeId}::uuid, id, profile_id, changed_at, surface, operation, actor::uuid, created = 1, attributes,
      identifiers
    from unnest(
      ${uuids(entries.map(({ id }) => id))}::uuid[],
      ${uuids(entries.map(({ profileId }) => profileId))}::uuid[],
      ${timestamps(entries.map(({ changedAt }) => changedAt))}::timestamptz[],
      ${texts(entries.map(({ origin }) => origin.surface))}::text[],
      ${texts(entries.map(({ origin }) => origin.operation))}::text[],
      ${texts(entries.map(({ origin }) => origin.actor))}::text[],
      ${integers(entries.map(({ created }) => (created ? 1 : 0)))}::int[],
      ${jsonbs(entries.map(({ attributes }) => attributes))}::jsonb[],
      ${jsonbs(entries.map(({ identifiers }) => identifiers))}::jsonb[]
    ) as r (id, profile_id, changed_at, surface, operation, actor, created, attributes, identifiers)`;
}

/**
 * The same for customers of whom nothing is known yet but one identifier. They are in `customer (n, kind, value, profile_id,
 * is_known)`, in the order of `origins`; nothing is inserted unless `condition` holds.
 */
export function insertHistoryOfNew(
  storeId: string,
  origins: readonly { origin: Origin | undefined }[],
  at: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into profile_history (store_id, id, profile_id, changed_at, surface, operation, actor, created, attributes,
      identifiers)
    select ${storeId}::uuid, r.id, profile_id, ${at}::timestamptz, surface, operation, actor::uuid, true, '{}',
      jsonb_build_object(
        'gained', jsonb_build_array(jsonb_build_array(kind, value)),
        'lost', jsonb_build_array(),
        'shown', jsonb_build_object(kind, jsonb_build_object('from', null, 'to', value)))
    from unnest(
      ${uuids(origins.map(() => newId()))}::uuid[],
      ${texts(origins.map(({ origin }) => origin?.surface ?? null))}::text[],
      ${texts(origins.map(({ origin }) => origin?.operation ?? null))}::text[],
      ${texts(origins.map(({ origin }) => origin?.actor ?? null))}::text[]
    ) with ordinality as r (id, surface, operation, actor, n)
    join customer using (n)
    where not is_known and surface is not null and ${condition}`;
}
