import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { type Generation, type GenerationReader, type GenerationRef, keyOf } from './generations.ts';

/** A segment as those see it who keep its members up to date. */
export interface KeptSegment {
  id: string;
  /** What serves and is kept up to date; undefined before the first build, and after a failure. */
  serving: Generation | undefined;
  /** Of the members that serve. */
  generation: number;
  /** Whether nothing is to be done for it until somebody changes it or has it built. */
  hasFailed: boolean;
  /** The latest definition's. */
  segmentIds: readonly string[];
  build: OpenBuild | undefined;
  /** Customers who are left alone, as they take too long. */
  setAside: ReadonlySet<string>;
}

export interface OpenBuild extends Generation {
  isStarted: boolean;
  /** All customers up to this one are done. */
  afterProfileId: string;
}

interface Row {
  id: string;
  generation: number;
  isKept: boolean;
  hasFailed: boolean;
  segmentIds: string[];
  built: number | null;
  isStarted: boolean;
  afterProfileId: string;
  setAside: string[] | null;
}

/** How often the segments of a store are read before it is given up, as somebody changes them each time. */
const MAX_READS = 5;

/**
 * Returns a store's segments, those that others name before these. Throws if the definition of one can't be had: whoever
 * went on without it would move the place in the feed beyond changes that nobody has followed.
 */
export async function loadSegments(tx: Sql, storeId: string, reader: GenerationReader): Promise<KeptSegment[]> {
  for (let reads = 1; reads <= MAX_READS; reads += 1) {
    const rows = await readRows(tx, storeId);
    const known = await reader.load(tx, storeId, rows.flatMap(wantedOf));
    if (rows.flatMap(wantedOf).every((one) => known.has(keyOf(one))))
      return inOrder(rows.map((row) => kept(row, known)));
  }
  throw new Error('Definitions of segments are missing, or change faster than they can be read');
}

async function readRows(tx: Sql, storeId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id, s.generation, s.failure is not null as "hasFailed",
      s.generation > 0 and s.failure is null as "isKept", s.segment_ids as "segmentIds",
      b.generation as built, b.started_at is not null as "isStarted", b.after_profile_id as "afterProfileId", a.ids as "setAside"
    from segment s
    left join segment_build b on b.store_id = s.store_id and b.segment_id = s.id and b.finished_at is null
    left join (
      select segment_id, array_agg(profile_id::text) as ids
      from segment_set_aside where store_id = ${storeId} group by segment_id
    ) a on a.segment_id = s.id
    where s.store_id = ${storeId}
    order by s.id`.execute(tx);
  return rows;
}

function wantedOf({ id, generation, isKept, built }: Row): (GenerationRef & { isServing: boolean })[] {
  return [
    ...(isKept ? [{ segmentId: id, generation, isServing: true }] : []),
    ...(built === null ? [] : [{ segmentId: id, generation: built, isServing: false }]),
  ];
}

function kept(row: Row, known: ReadonlyMap<string, Generation>): KeptSegment {
  const { id, generation, built, isStarted, afterProfileId } = row;
  const building = built === null ? undefined : known.get(keyOf({ segmentId: id, generation: built }));
  return {
    id,
    generation,
    serving: row.isKept ? known.get(keyOf({ segmentId: id, generation })) : undefined,
    hasFailed: row.hasFailed,
    segmentIds: row.segmentIds,
    build: building && { ...building, isStarted, afterProfileId },
    setAside: new Set(row.setAside),
  };
}

/** Those that are named come before those that name them, by what serves or by what is built. */
function inOrder(segments: readonly KeptSegment[]): KeptSegment[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const ordered = new Set<KeptSegment>();
  const visit = (segment: KeptSegment, above: ReadonlySet<string>) => {
    if (ordered.has(segment) || above.has(segment.id)) return;
    const named = [...segment.segmentIds, ...(segment.serving?.uses.segments ?? [])];
    for (const id of named) {
      const one = byId.get(id);
      if (one) visit(one, new Set([...above, segment.id]));
    }
    ordered.add(segment);
  };
  for (const segment of segments) visit(segment, new Set());
  return [...ordered];
}
