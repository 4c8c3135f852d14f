import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectWellFormed, type TemplateDraft } from './draft.ts';
import { findTemplate, type TemplateWithDraft } from './find-templates.ts';
import { lockTemplate, lockTemplates } from './locked-template.ts';
import { expectScopesToDefine } from './scopes.ts';

/** Templates of one store that may be there at a time, archived ones not counted. */
const MAX_TEMPLATES = 500;

/** Throws `validation_error` for a draft that can't even be stored, and `forbidden` if the caller may not read what it reads. */
export function expectStorable(caller: Caller, draft: TemplateDraft): void {
  expectWellFormed(draft);
  expectScopesToDefine(caller, draft);
}

/** Creates a template of which nothing is sent yet. Throws `validation_error` if the store has too many. */
export async function createTemplate(
  db: Sql,
  { storeId }: Caller,
  draft: TemplateDraft,
  once: Once<TemplateWithDraft> = always,
): Promise<TemplateWithDraft> {
  const id = newId();
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        await lockTemplates(tx, storeId);
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from template
          where store_id = ${storeId} and status in ('draft', 'published')`.execute(tx);
        if ((rows[0]?.count ?? 0) >= MAX_TEMPLATES) {
          const message = `The store already has ${MAX_TEMPLATES} templates; archive one first`;
          throw new ServiceError('validation_error', message);
        }
        await sql`
          insert into template (store_id, id, name, kind, use, class, draft, revision, status, created_at, updated_at)
          values (${storeId}, ${id}, ${draft.name}, ${draft.kind}, ${draft.use}, ${draft.class},
            ${JSON.stringify(draft)}::json, 1, 'draft', now(), now())`.execute(tx);
        return (await findTemplate(tx, storeId, id)) as TemplateWithDraft;
      }),
    ),
  );
}

export interface TemplateRevision {
  id: string;
  /** That of the draft which is replaced. */
  revision: number;
  draft: TemplateDraft;
}

/**
 * Replaces the draft of a template; one that is so already, at the next revision, stays. Returns undefined if the store has
 * none with this id; throws `validation_error` if somebody else has replaced the draft, or the template is archived, or
 * of another kind or use.
 */
export async function reviseTemplate(
  db: Sql,
  { storeId }: Caller,
  { id, revision, draft }: TemplateRevision,
): Promise<TemplateWithDraft | undefined> {
  const text = JSON.stringify(draft);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const template = await lockTemplate(tx, storeId, id);
      if (!template) return undefined;
      // A retry of what was done already.
      if (template.revision === revision + 1 && (await isDraft(tx, storeId, id, text))) {
        return await findTemplate(tx, storeId, id);
      }
      if (template.status === 'archived') {
        throw new ServiceError('validation_error', 'The draft of an archived template can not be changed');
      }
      if (template.revision !== revision) throw staleRevision();
      for (const what of ['kind', 'use'] as const) {
        if (template[what] !== draft[what]) throw invalid({ path: [what], problem: `must stay ${template[what]}` });
      }
      await sql`
        update template
        set draft = ${text}::json, name = ${draft.name}, class = ${draft.class}, revision = revision + 1, updated_at = now()
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return await findTemplate(tx, storeId, id);
    }),
  );
}

async function isDraft(tx: Sql, storeId: string, id: string, draft: string): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`
    select draft::jsonb = ${draft}::jsonb as "isSame" from template
    where store_id = ${storeId} and id = ${id}`.execute(tx);
  return rows[0]?.isSame === true;
}

export function staleRevision(): ServiceError {
  return invalid({ path: ['revision'], problem: 'is not the current one; the draft has been changed since' });
}
