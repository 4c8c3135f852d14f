import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
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

/** Versions of automations, which never change: each is read and parsed once. */
export class VersionCache {
  readonly #versions = new Map<string, { version: Version; characters: number }>();
  #characters = 0;

  /** Returns versions by `versionKey`. */
  async load(db: Sql, storeId: string, refs: readonly VersionRef[]): Promise<Map<string, Version>> {
    const found = new Map<string, Version>();
    const missing: VersionRef[] = [];
    for (const ref of refs) {
      const known = this.#versions.get(`${storeId} ${versionKey(ref)}`);
      if (known) found.set(versionKey(ref), known.version);
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
      this.#keep(`${storeId} ${key}`, version, definition.text.length);
    }
    return found;
  }

  #keep(key: string, version: Version, characters: number): void {
    this.#characters += characters - (this.#versions.get(key)?.characters ?? 0);
    this.#versions.set(key, { version, characters });
    for (const [oldest, entry] of this.#versions) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#versions.delete(oldest);
      this.#characters -= entry.characters;
    }
  }
}

export function versionKey({ automationId, number }: VersionRef): string {
  return `${automationId} ${number}`;
}
