import { sql } from 'kysely';
import { integers, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
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

/** Returns the classes of versions of which messages can be made, by `templateVersionKey`. */
export async function readClasses(
  db: Sql,
  storeId: string,
  refs: readonly TemplateVersionRef[],
): Promise<Map<string, TemplateClass>> {
  const distinct = [...new Map(refs.map((ref) => [templateVersionKey(ref), ref])).values()];
  if (distinct.length === 0) return new Map();
  const { rows } = await sql<TemplateVersionRef & { class: TemplateClass }>`
    select v.template_id as "templateId", v.number as "templateVersion", v.class
    from unnest(
      ${uuids(distinct.map(({ templateId }) => templateId))}::uuid[],
      ${integers(distinct.map(({ templateVersion }) => templateVersion))}::int[]
    ) as w (template_id, number)
    join template_version v on v.template_id = w.template_id and v.number = w.number
    where v.store_id = ${storeId} and v.compiled is not null`.execute(db);
  return new Map(rows.map((row) => [templateVersionKey(row), row.class]));
}

export function templateVersionKey({ templateId, templateVersion }: TemplateVersionRef): string {
  return `${templateId.toLowerCase()} ${templateVersion}`;
}
