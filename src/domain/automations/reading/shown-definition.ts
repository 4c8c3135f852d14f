import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { takingClientEvents } from '../core/definition/client-events.ts';
import type { Definition } from '../core/definition/definition.ts';
import { type VersionCache, versionKey } from '../stored/version-cache.ts';

interface HasDefinition {
  id: string;
  /** The number of the latest version; null before the first. */
  version: number | null;
  draft: RawJson;
}

/** Returns a version's definition; undefined if the automation has no such version. */
export async function definitionOf(
  db: Sql,
  storeId: string,
  automationId: string,
  number: number,
  versions: VersionCache,
): Promise<Definition | undefined> {
  const ref = { automationId, number };
  return (await versions.load(db, storeId, [ref])).get(versionKey(ref))?.definition;
}

/** Returns a draft as its next version would mean it. `expect` throws if it is not to be used as it is written. */
export function definitionOfDraft(
  { draft, takesClientEvents }: { draft: RawJson; takesClientEvents: boolean },
  expect: (definition: Definition) => void,
): Definition {
  const definition = draft.parse<Definition>();
  expect(definition);
  return takesClientEvents ? takingClientEvents(definition) : definition;
}

/** Returns the definition of the latest version, or before the first the draft. */
export async function latestDefinition(
  db: Sql,
  storeId: string,
  { id, version, draft }: HasDefinition,
  versions: VersionCache,
): Promise<Definition> {
  const published = version === null ? undefined : await definitionOf(db, storeId, id, version, versions);
  return published ?? draft.parse<Definition>();
}
