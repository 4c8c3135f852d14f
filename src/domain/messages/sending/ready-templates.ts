import type { Sql } from '../../../db/sql.ts';
import { ParsedCache } from '../../parsed-cache.ts';
import type { CompiledTemplate } from '../../templates/core/compiled.ts';
import { readCompiled } from '../../templates/versions.ts';
import { confirmationText } from './confirmation-text.ts';

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

  /** Undefined if there is no such version, or nothing can be made of it. Without an id, the text of the service. */
  async read(db: Sql, storeId: string, templateId: string | null, number: number | null): Promise<Ready | undefined> {
    if (templateId === null || number === null) return { compiled: confirmationText(), required: [] };
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
