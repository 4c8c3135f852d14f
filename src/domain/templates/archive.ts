import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { findTemplate, type TemplateWithDraft } from './find-templates.ts';

/**
 * Archives a template, for good; what holds a version of it keeps that. Returns undefined if the store has none with this
 * id.
 */
export async function archiveTemplate(db: Sql, storeId: string, id: string): Promise<TemplateWithDraft | undefined> {
  await sql`
    update template set status = 'archived', archived_at = now(), updated_at = now()
    where store_id = ${storeId} and id = ${id} and status <> 'archived'`.execute(db);
  return await findTemplate(db, storeId, id);
}
