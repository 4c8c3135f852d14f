import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Condition } from '../../conditions/condition.ts';
import { ParsedCache } from '../../parsed-cache.ts';
import { type Uses, usesOf } from '../core/uses.ts';
import { readDefinition } from '../definition.ts';

/** Names one generation of a segment's members. */
export interface GenerationRef {
  segmentId: string;
  generation: number;
}

/** One generation of a segment's members: what serves, or what is being built. */
export interface Generation extends GenerationRef {
  definition: Condition;
  uses: Uses;
}

/** Characters of JSON that are kept parsed. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export function keyOf({ segmentId, generation }: GenerationRef): string {
  return `${segmentId} ${generation}`;
}

/** Definitions are parsed once for each generation, which never changes once it is committed. */
export class GenerationCache {
  readonly #known = new ParsedCache<Generation>(MAX_CHARACTERS);

  reader(): GenerationReader {
    return new GenerationReader(this.#known);
  }

  /**
   * Does some work in one transaction, and keeps what it has read once that is committed: the number of a generation
   * that is rolled back is given again, to another definition.
   */
  async during<Result>(work: (reader: GenerationReader) => Promise<Result>): Promise<Result> {
    const reader = this.reader();
    const result = await work(reader);
    for (const [key, { generation, characters }] of reader.read) this.#known.keep(key, generation, characters);
    return result;
  }
}

/** What one transaction knows of generations. */
export class GenerationReader {
  readonly #known: ParsedCache<Generation>;
  /** What it has read itself, by `keyOf`. */
  readonly read = new Map<string, { generation: Generation; characters: number }>();

  constructor(known: ParsedCache<Generation>) {
    this.#known = known;
  }

  /** Returns those that there are, by `keyOf`: one may have been replaced since the caller has seen it. */
  async load(
    tx: Sql,
    storeId: string,
    wanted: readonly (GenerationRef & { isServing: boolean })[],
  ): Promise<Map<string, Generation>> {
    const found = new Map<string, Generation>();
    const missing = wanted.filter((one) => {
      const known = this.read.get(keyOf(one))?.generation ?? this.#known.get(keyOf(one));
      if (known) found.set(keyOf(one), known);
      return !known;
    });
    if (missing.length === 0) return found;
    const ids = (isServing: boolean) =>
      uuids(missing.filter((one) => one.isServing === isServing).map(({ segmentId }) => segmentId));
    const { rows } = await sql<GenerationRef & { definition: RawJson }>`
      select id as "segmentId", generation, served_definition as definition from segment
      where store_id = ${storeId} and id = any(${ids(true)}::uuid[]) and served_definition is not null
      union all
      select segment_id, generation, definition from segment_build
      where store_id = ${storeId} and segment_id = any(${ids(false)}::uuid[]) and finished_at is null`.execute(tx);
    for (const { definition: text, ...ref } of rows) {
      const definition = readDefinition(text);
      const generation = { ...ref, definition, uses: usesOf(definition) };
      found.set(keyOf(ref), generation);
      this.read.set(keyOf(ref), { generation, characters: text.text.length });
    }
    return found;
  }
}
