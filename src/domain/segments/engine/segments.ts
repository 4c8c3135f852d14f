import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Definition } from '../core/definition.ts';
import { type Uses, usesOf } from '../core/uses.ts';

/** One generation of a segment's members: what serves, or what is being built. */
export interface Generation {
  segmentId: string;
  generation: number;
  definition: Definition;
  uses: Uses;
}

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
}

export interface OpenBuild extends Generation {
  isStarted: boolean;
  /** All customers up to this one are done. */
  afterProfileId: string;
}

/** Definitions are parsed once for each generation, which never changes. */
export class GenerationCache {
  readonly #known = new Map<string, Generation>();

  async load(
    db: Sql,
    storeId: string,
    wanted: readonly { segmentId: string; generation: number; isServing: boolean }[],
  ) {
    const missing = wanted.filter((one) => !this.#known.has(keyOf(one)));
    if (this.#known.size + missing.length > MAX_KNOWN) this.#known.clear();
    await this.#read(db, storeId, this.#known.size === 0 ? wanted : missing);
    return (one: { segmentId: string; generation: number }) => this.#known.get(keyOf(one));
  }

  async #read(db: Sql, storeId: string, wanted: readonly { segmentId: string; isServing: boolean }[]): Promise<void> {
    if (wanted.length === 0) return;
    const ids = (isServing: boolean) =>
      uuids(wanted.filter((one) => one.isServing === isServing).map(({ segmentId }) => segmentId));
    const { rows } = await sql<{ segmentId: string; generation: number; definition: RawJson }>`
      select id as "segmentId", generation, served_definition as definition from segment
      where store_id = ${storeId} and id = any(${ids(true)}::uuid[]) and served_definition is not null
      union all
      select segment_id, generation, definition from segment_build
      where store_id = ${storeId} and segment_id = any(${ids(false)}::uuid[]) and finished_at is null`.execute(db);
    for (const { segmentId, generation, definition: text } of rows) {
      const definition = text.parse<Definition>();
      this.#known.set(keyOf({ segmentId, generation }), {
        segmentId,
        generation,
        definition,
        uses: usesOf(definition),
      });
    }
  }
}

const MAX_KNOWN = 2_000;

export function keyOf({ segmentId, generation }: { segmentId: string; generation: number }): string {
  return `${segmentId} ${generation}`;
}

/** Returns a store's segments, those that others name before these. */
export async function loadSegments(tx: Sql, storeId: string, cache: GenerationCache): Promise<KeptSegment[]> {
  const { rows } = await sql<{
    id: string;
    generation: number;
    isServing: boolean;
    isKept: boolean;
    hasFailed: boolean;
    segmentIds: string[];
    built: number | null;
    isStarted: boolean;
    afterProfileId: string;
  }>`
    select s.id, s.generation, s.served_definition is not null as "isServing", s.failure is not null as "hasFailed",
      s.served_definition is not null and s.failure is null as "isKept", s.segment_ids as "segmentIds",
      b.generation as built, b.started_at is not null as "isStarted", b.after_profile_id as "afterProfileId"
    from segment s
    left join segment_build b on b.store_id = s.store_id and b.segment_id = s.id and b.finished_at is null
    where s.store_id = ${storeId}
    order by s.id`.execute(tx);
  const known = await cache.load(
    tx,
    storeId,
    rows.flatMap(({ id, generation, isKept, built }) => [
      ...(isKept ? [{ segmentId: id, generation, isServing: true }] : []),
      ...(built === null ? [] : [{ segmentId: id, generation: built, isServing: false }]),
    ]),
  );
  const kept = rows.map((row): KeptSegment => {
    const building = row.built === null ? undefined : known({ segmentId: row.id, generation: row.built });
    return {
      id: row.id,
      generation: row.generation,
      serving: row.isKept ? known({ segmentId: row.id, generation: row.generation }) : undefined,
      hasFailed: row.hasFailed,
      segmentIds: row.segmentIds,
      build: building && { ...building, isStarted: row.isStarted, afterProfileId: row.afterProfileId },
    };
  });
  return inOrder(kept);
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
