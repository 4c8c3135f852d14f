import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { TemplateClass, TemplateKind, TemplateUse } from './draft.ts';

export type TemplateStatus = 'draft' | 'published' | 'archived';

export interface TemplateSummary {
  id: string;
  name: string;
  kind: TemplateKind;
  use: TemplateUse;
  class: TemplateClass;
  status: TemplateStatus;
  /** That of the draft. */
  revision: number;
  /** The number of the latest version; null before the first. */
  version: number | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

export type TemplateWithDraft = TemplateSummary & { draft: RawJson };

export interface TemplateFilter {
  status?: TemplateStatus | undefined;
  use?: TemplateUse | undefined;
}

type Row<Template extends TemplateSummary> = Omit<Template, 'createdAt' | 'updatedAt' | 'archivedAt'> & {
  created: number;
  updated: number;
  archived: number | null;
  candidates?: never;
};

const COLUMNS = sql`
  id, name, kind, use, class, status, revision, version,
  (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from updated_at) * 1000)::float8 as updated,
  (extract(epoch from archived_at) * 1000)::float8 as archived`;

/** Undefined if the store has no such template. */
export async function findTemplate(db: Sql, storeId: string, id: string): Promise<TemplateWithDraft | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<Row<TemplateWithDraft>>`
    select ${COLUMNS}, draft from template where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns templates of the store, newest first. */
export async function listTemplates(
  db: Sql,
  storeId: string,
  { status, use }: TemplateFilter,
  page: PageRequest,
): Promise<Page<TemplateSummary>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<Row<TemplateSummary>>`
    select ${COLUMNS} from template
    where store_id = ${storeId} and id < ${before}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${use === undefined ? sql`` : sql`and use = ${use}`}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  const { items, next } = toPage(rows, page.limit, (row) => fromRow<TemplateSummary>(row), idCursor);
  return { items, next };
}

function fromRow<Template extends TemplateSummary>(row: Row<Template>): Template {
  const { created, updated, archived, ...template } = row;
  return {
    ...template,
    createdAt: new Date(created),
    updatedAt: new Date(updated),
    archivedAt: archived === null ? null : new Date(archived),
  } as unknown as Template;
}
