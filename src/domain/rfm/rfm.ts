import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { expectScopesOfDependents } from '../audiences/dependents.ts';
import type { Caller } from '../caller.ts';
import type { Condition } from '../conditions/condition.ts';
import { readOrderSettings } from '../orders/settings.ts';
import { readDefinition } from '../segments/definition.ts';
import { findSegment, type SegmentWithDefinition } from '../segments/find-segments.ts';
import { createSegment, reviseSegment } from '../segments/segments.ts';
import { definitionsOf, RFM_KINDS, RFM_NAMES, type RfmKind } from './definitions.ts';
import { type CustomersInFifths, readThresholds } from './thresholds.ts';

/** Days after which the definitions are made anew. */
const REFRESHED_DAYS = 30;

export interface RfmSegment {
  kind: RfmKind;
  name: string;
  definition: Condition;
  /** Null where it has not been made, or was deleted. */
  segmentId: string | null;
}

export interface Rfm extends CustomersInFifths {
  /** None where there are too few customers. */
  segments: RfmSegment[];
}

/** Returns what the segments would be made of now, and which there are. `currency`: that of the store, of orders that name none. */
export async function readRfm(db: Sql, storeId: string, currency: string | null): Promise<Rfm> {
  const found = await readThresholds(db, storeId, { currency });
  if (!found.thresholds) return { ...found, segments: [] };
  const definitions = definitionsOf(found.thresholds, await readOrderSettings(db, storeId));
  const wanted = RFM_KINDS.map((kind) => ({ kind, definition: definitions[kind] }));
  return { ...found, segments: asMade(wanted, await readMade(db, storeId)) };
}

/** What is to be made, with what is there of it. */
function asMade(wanted: readonly Pick<RfmSegment, 'kind' | 'definition'>[], made: Made): RfmSegment[] {
  return wanted.map(({ kind, definition }) => ({
    ...{ kind, definition },
    name: made.get(kind)?.name ?? RFM_NAMES[kind],
    segmentId: made.get(kind)?.id ?? null,
  }));
}

/**
 * Makes the segments, or changes the definitions of those that there are; with `isRefresh` those that were deleted stay so. Makes
 * none where there are too few customers. Throws as `createSegment` and `reviseSegment` do.
 */
export async function refreshRfm(
  db: Sql,
  caller: Caller,
  { currency, isRefresh = false }: { currency: string | null; isRefresh?: boolean },
): Promise<Rfm> {
  const { storeId } = caller;
  const { segments, ...found } = await readRfm(db, storeId, currency);
  for (const { kind, name, definition, segmentId } of segments) {
    if (segmentId !== null) await change(db, caller, segmentId, definition);
    else if (!isRefresh) await make(db, caller, { kind, name, definition });
  }
  await sql`
    update rfm_segment set due_at = now() + make_interval(days => ${REFRESHED_DAYS}) where store_id = ${storeId}`.execute(
    db,
  );
  return { ...found, segments: asMade(segments, await readMade(db, storeId)) };
}

/** Its name stays, which people may have changed. */
async function change(db: Sql, caller: Caller, id: string, definition: Condition): Promise<void> {
  const segment = await findSegment(db, caller.storeId, id);
  if (!segment || isDeepStrictEqual(readDefinition(segment.definition), definition)) return;
  const { name, revision } = segment;
  await reviseSegment(db, caller, { id, revision, name, definition }, expectScopesOfDependents);
}

async function make(
  db: Sql,
  caller: Caller,
  { kind, name, definition }: Pick<RfmSegment, 'kind' | 'name' | 'definition'>,
): Promise<void> {
  const { storeId } = caller;
  await createSegment(db, caller, { name, definition }, async (tx, create) => {
    // Of two at the same time, one makes it: they change segments one after the other.
    const made = (await readMade(tx, storeId)).get(kind);
    if (made) return (await findSegment(tx, storeId, made.id)) as SegmentWithDefinition;
    const segment = await create();
    await sql`
      insert into rfm_segment (store_id, kind, segment_id, due_at)
      values (${storeId}, ${kind}, ${segment.id}, now() + make_interval(days => ${REFRESHED_DAYS}))
      on conflict (store_id, kind) do update set segment_id = excluded.segment_id, due_at = excluded.due_at`.execute(
      tx,
    );
    return segment;
  });
}

type Made = ReadonlyMap<string, { id: string; name: string }>;

async function readMade(db: Sql, storeId: string): Promise<Made> {
  const { rows } = await sql<{ kind: string; id: string; name: string }>`
    select r.kind, s.id, s.name from rfm_segment r
    join segment s on s.store_id = r.store_id and s.id = r.segment_id
    where r.store_id = ${storeId}`.execute(db);
  return new Map(rows.map(({ kind, ...segment }) => [kind, segment]));
}
