import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Names that are kept. */
const MAX_KNOWN = 10_000;

/** The names of keys, which keep them, and of persons, who may change theirs. */
export class KeyNames {
  readonly #sql: Sql;
  readonly #known = new Map<string, string>();

  constructor(db: Sql) {
    this.#sql = db;
  }

  /** Returns the names of keys of a store, and of persons, by their ids, which are those of what they did there. */
  async of(storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    const unknown = new Set<string>();
    for (const id of ids) {
      const name = this.#known.get(id);
      if (name === undefined) unknown.add(id);
      else names.set(id, name);
    }
    if (unknown.size === 0) return names;
    const { rows } = await sql<{ id: string; name: string; isKey: boolean }>`
      select id, name, true as "isKey" from api_key where store_id = ${storeId} and id = any(${[...unknown]}::uuid[])
      union all
      select id, name, false from person where id = any(${[...unknown]}::uuid[])`.execute(this.#sql);
    if (this.#known.size + rows.length > MAX_KNOWN) this.#known.clear();
    for (const { id, name, isKey } of rows) {
      names.set(id, name);
      if (isKey) this.#known.set(id, name);
    }
    return names;
  }
}
