import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { TemplateKind, TemplateUse } from './draft.ts';
import type { TemplateStatus } from './find-templates.ts';

/** A template's row, locked. */
export interface LockedTemplate {
  id: string;
  kind: TemplateKind;
  use: TemplateUse;
  status: TemplateStatus;
  revision: number;
  version: number | null;
  /** The revision of which that version was made. */
  publishedRevision: number | null;
}

/**
 * Lets nobody else create or publish templates of the store until the transaction ends: how many there are, and what is
 * copied from one into another, stays as it is.
 */
export async function lockTemplates(tx: Sql, storeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.templates ${storeId}`}, 0))`.execute(tx);
}

/** Returns undefined if the store has no such template. */
export async function lockTemplate(tx: Sql, storeId: string, id: string): Promise<LockedTemplate | undefined> {
  const { rows } = await sql<LockedTemplate>`
    select id, kind, use, status, revision, version, published_revision as "publishedRevision" from template
    where store_id = ${storeId} and id = ${id}
    for update`.execute(tx);
  return rows[0];
}
