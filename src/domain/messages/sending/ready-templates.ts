import type { Sql } from '../../../db/sql.ts';
import { ParsedCache } from '../../parsed-cache.ts';
import type { CompiledTemplate } from '../../templates/core/compiled.ts';
import { readCompiled } from '../../templates/versions.ts';

/** What messages of a version are made from. */
export interface Ready {
  compiled: CompiledTemplate;
  /** Paths without whose values there is no message. */
  required: readonly (readonly string[])[];
}

/** Characters of JSON that are kept parsed. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Versions of templates, which never change: each is read and parsed once. */
export class ReadyTemplates {
  readonly #versions = new ParsedCache<Ready>(MAX_CHARACTERS);

  /** Undefined if there is no such version, or nothing can be made of it. */
  async read(db: Sql, storeId: string, templateId: string, number: number): Promise<Ready | undefined> {
    const key = `${storeId} ${templateId} ${number}`;
    const known = this.#versions.get(key);
    if (known) return known;
    const found = await readCompiled(db, storeId, templateId, number);
    if (!found) return undefined;
    const ready = { compiled: found.compiled.parse<CompiledTemplate>(), required: found.required };
    this.#versions.keep(key, ready, found.compiled.text.length);
    return ready;
  }
}
