import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { ParsedCache } from '../../parsed-cache.ts';
import { withCanonicalTypes } from '../core/definition/canonical-types.ts';
import { takingClientEvents } from '../core/definition/client-events.ts';
import type { Definition, InFlight } from '../core/definition/definition.ts';
import type { Version } from '../core/machine/automation.ts';

export interface VersionRef {
  automationId: string;
  number: number;
}

interface Row extends VersionRef {
  definition: RawJson;
  inFlight: InFlight;
  membersBefore: number | null;
  /** Whether it takes events of public keys where it does not say so. */
  takesClientEvents: boolean;
}

/** Characters of JSON that are kept parsed. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Versions of automations, which never change: each is read and parsed once. A transaction that publishes one must not
 * read it here: it would stay if that was rolled back.
 */
export class VersionCache {
  readonly #versions = new ParsedCache<Version>(MAX_CHARACTERS);

  /** Returns the versions that there are, by `versionKey`. */
  async load(db: Sql, storeId: string, refs: readonly VersionRef[]): Promise<Map<string, Version>> {
    const found = new Map<string, Version>();
    const missing: VersionRef[] = [];
    for (const ref of refs) {
      const known = this.#versions.get(`${storeId} ${versionKey(ref)}`);
      if (known) found.set(versionKey(ref), known);
      else missing.push(ref);
    }
    if (missing.length === 0) return found;
    const { rows } = await sql<Row>`
      select v.automation_id as "automationId", v.number, v.definition, v.in_flight as "inFlight",
        a.takes_client_events as "takesClientEvents",
        (extract(epoch from v.members_before) * 1000)::float8 as "membersBefore"
      from unnest(
        ${uuids(missing.map(({ automationId }) => automationId))}::uuid[],
        ${integers(missing.map(({ number }) => number))}::int[]) as w (automation_id, number)
      cross join lateral (
        select * from automation_version
        where store_id = ${storeId} and automation_id = w.automation_id and number = w.number limit 1
      ) v
      join automation a on a.store_id = ${storeId} and a.id = v.automation_id`.execute(db);
    for (const { automationId, number, definition, inFlight, membersBefore, takesClientEvents } of rows) {
      const parsed = withCanonicalTypes(JSON.parse(definition.text) as Definition);
      const read = takesClientEvents ? takingClientEvents(parsed) : parsed;
      const version = { number, inFlight, definition: read, membersBefore: membersBefore ?? undefined };
      const key = versionKey({ automationId, number });
      found.set(key, version);
      this.#versions.keep(`${storeId} ${key}`, version, definition.text.length);
    }
    return found;
  }

  /** The same of versions that must be there. Throws if one is missing: nobody is to go on as if it asked for nothing. */
  async loadAll(db: Sql, storeId: string, refs: readonly VersionRef[]): Promise<(ref: VersionRef) => Version> {
    const found = await this.load(db, storeId, refs);
    return (ref) => {
      const version = found.get(versionKey(ref));
      if (!version) throw new Error(`There is no version ${ref.number} of the automation ${ref.automationId}`);
      return version;
    };
  }
}

export function versionKey({ automationId, number }: VersionRef): string {
  return `${automationId} ${number}`;
}
