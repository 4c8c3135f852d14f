import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { numberCursor, type Page, type PageRequest, readNumberCursor, toPage } from '../reading/cursor.ts';
import { pathSegments, type TemplateClass, type TemplateDraft, type TemplateKind } from './draft.ts';

export interface TemplateVersionSummary {
  templateId: string;
  number: number;
  publishedAt: Date;
  /** The id of the key. */
  publishedBy: string;
}

/** `parts` holds the numbers of the versions that were copied into it, by the ids of their templates. */
export type TemplateVersion = TemplateVersionSummary & { draft: RawJson; parts: RawJson };

/** As numbers of versions are stored. */
const MAX_NUMBER = 2 ** 31 - 1;

type Row<Version extends TemplateVersionSummary> = Omit<Version, 'publishedAt'> & {
  published: number;
  candidates?: never;
};

const COLUMNS = sql`
  v.template_id as "templateId", v.number, (extract(epoch from v.published_at) * 1000)::float8 as published,
  v.published_by as "publishedBy"`;

/** Undefined if the template has no such version, or the store no such template. */
export async function findVersion(
  db: Sql,
  storeId: string,
  templateId: string,
  number: number,
): Promise<TemplateVersion | undefined> {
  if (!isId(templateId) || !isVersionNumber(number)) return undefined;
  const { rows } = await sql<Row<TemplateVersion>>`
    select ${COLUMNS}, v.draft, v.parts from template_version v
    where v.store_id = ${storeId} and v.template_id = ${templateId} and v.number = ${number}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns versions, the latest first; undefined if the store has no such template. */
export async function listVersions(
  db: Sql,
  storeId: string,
  templateId: string,
  page: PageRequest,
): Promise<Page<TemplateVersionSummary> | undefined> {
  const below = page.cursor === undefined ? MAX_NUMBER : readNumberCursor(page.cursor);
  const { rows } = await sql<Row<TemplateVersionSummary>>`
    select ${COLUMNS} from template_version v
    where v.store_id = ${storeId} and v.template_id = ${templateId} and v.number < ${below}
    order by v.number desc
    limit ${page.limit + 1}`.execute(db);
  if (rows.length === 0 && (await currentVersion(db, storeId, templateId)) === undefined) return undefined;
  return toPage(rows, page.limit, fromRow, ({ number }) => numberCursor(number));
}

/** Returns the number of the latest version, null before the first; undefined if the store has no such template. */
export async function currentVersion(db: Sql, storeId: string, templateId: string): Promise<number | null | undefined> {
  if (!isId(templateId)) return undefined;
  const { rows } = await sql<{ version: number | null }>`
    select version from template where store_id = ${storeId} and id = ${templateId}`.execute(db);
  return rows[0]?.version;
}

/** What messages of a version are made from. */
export interface ReadyTemplate {
  /** Of a `CompiledTemplate`. */
  compiled: RawJson;
  kind: TemplateKind;
  class: TemplateClass;
  /** Paths without whose values nothing is sent, as `['profile', 'attributes', 'first_name']`. */
  required: readonly (readonly string[])[];
}

/** Undefined if there is no such version, or nothing can be sent of it, as it is one of a layout or a snippet. */
export async function readCompiled(
  db: Sql,
  storeId: string,
  templateId: string,
  number: number,
): Promise<ReadyTemplate | undefined> {
  if (!isId(templateId) || !isVersionNumber(number)) return undefined;
  const { rows } = await sql<Omit<ReadyTemplate, 'required'> & { required: RawJson }>`
    select v.compiled, t.kind, v.class, v.draft -> 'required' as required
    from template_version v
    join template t on t.store_id = v.store_id and t.id = v.template_id
    where v.store_id = ${storeId} and v.template_id = ${templateId} and v.number = ${number}
      and v.compiled is not null and t.store_id = ${storeId}`.execute(db);
  const [row] = rows;
  return row && { ...row, required: row.required.parse<TemplateDraft['required']>().map(pathSegments) };
}

function isVersionNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER;
}

function fromRow<Version extends TemplateVersionSummary>(row: Row<Version>): Version {
  const { published, ...version } = row;
  return { ...version, publishedAt: new Date(published) } as unknown as Version;
}
