import { sql } from 'kysely';
import { integers, uuids } from '../../db/binary-arrays.ts';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompiledTemplate } from './core/compiled.ts';
import { type LookedUp, readsOf } from './core/looked-up.ts';
import type { TemplateClass } from './draft.ts';

/** A template that others name. */
export interface NamedTemplate {
  id: string;
  name: string;
  status: 'draft' | 'published' | 'archived';
  /** The number of the current version; null before the first. */
  version: number | null;
}

export interface TemplateVersionRef {
  templateId: string;
  templateVersion: number;
}

/** Returns templates by their ids. */
export async function readTemplates(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, NamedTemplate>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<NamedTemplate>`
    select id, name, status, version from template
    where store_id = ${storeId} and id = any(${uuids([...new Set(ids)])}::uuid[])`.execute(db);
  return new Map(rows.map((template) => [template.id, template]));
}

/** What has to be known of a version before a message of it is queued. */
export interface QueuedVersion {
  class: TemplateClass;
  reads: readonly LookedUp[];
}

/** Returns the versions of which messages can be made, by `templateVersionKey`. */
export async function readVersions(
  db: Sql,
  storeId: string,
  refs: readonly TemplateVersionRef[],
): Promise<Map<string, QueuedVersion>> {
  const distinct = [...new Map(refs.map((ref) => [templateVersionKey(ref), ref])).values()];
  if (distinct.length === 0) return new Map();
  const { rows } = await sql<TemplateVersionRef & Pick<QueuedVersion, 'class'> & { reads: RawJson }>`
    select v.template_id as "templateId", v.number as "templateVersion", v.class, coalesce(v.compiled -> 'reads', v.compiled) as reads
    from unnest(
      ${uuids(distinct.map(({ templateId }) => templateId))}::uuid[],
      ${integers(distinct.map(({ templateVersion }) => templateVersion))}::int[]
    ) as w (template_id, number)
    join template_version v on v.template_id = w.template_id and v.number = w.number
    where v.store_id = ${storeId} and v.compiled is not null`.execute(db);
  return new Map(rows.map((row) => [templateVersionKey(row), { class: row.class, reads: parseReads(row.reads) }]));
}

/** Reads what is looked up for a version: a list of it, or the whole version where that has none. */
export function parseReads(stored: RawJson): readonly LookedUp[] {
  const parsed = stored.parse<LookedUp[] | CompiledTemplate>();
  return 'contents' in parsed ? readsOf(parsed) : parsed;
}

export function templateVersionKey({ templateId, templateVersion }: TemplateVersionRef): string {
  return `${templateId.toLowerCase()} ${templateVersion}`;
}
