import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { overloaded, ServiceError, type Violation } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { type CheckedDraft, checkDraft, MAX_PROBLEMS } from './check-draft.ts';
import type { TemplateProblem } from './core/compiled.ts';
import type { TemplateDraft } from './draft.ts';
import { staleRevision } from './drafts.ts';
import { findTemplate } from './find-templates.ts';
import { lockTemplate, lockTemplates } from './locked-template.ts';
import { oftenMissingOfCustomers } from './often-missing.ts';
import type { Parts } from './parts/part.ts';
import { readParts } from './parts/read-parts.ts';
import { expectScopesToPublish } from './scopes.ts';
import type { TemplateTools } from './template-tools.ts';
import { findVersion, type TemplateVersion } from './versions.ts';

/** How often a draft is put together anew because what it consists of was published meanwhile. */
const MAX_ATTEMPTS = 3;

/** Versions of one template: each is kept, as what was sent may be of any. */
const MAX_VERSIONS = 1_000;

export interface TemplatePublication {
  id: string;
  /** That of the draft which whoever publishes has seen. */
  revision: number;
}

export interface PublishedTemplate {
  version: TemplateVersion;
  /** What did not refuse it. */
  warnings: readonly TemplateProblem[];
  /** Published templates with an earlier version of this layout or snippet. */
  outdated: readonly { id: string; name: string }[];
}

/**
 * Makes the draft the next version, which never changes: compiled, and with copies of the layouts and snippets that it
 * names. A revision that is the latest version already stays that. Returns undefined if the store has no such template;
 * throws `validation_error` if the draft can't be published, and `forbidden` if the caller may not read what it reads.
 */
export async function publishTemplate(
  writing: WithConnection,
  tools: Pick<TemplateTools, 'compile'>,
  caller: Caller,
  publication: TemplatePublication,
): Promise<PublishedTemplate | undefined> {
  const { storeId } = caller;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const read = await writing(storeId, (db) => readDraft(db, storeId, publication));
    if (!read) return undefined;
    const { draft, parts, published } = read;
    // With no connection: it takes as long as it takes.
    const checked = await checkDraft(tools, { storeId, id: publication.id, draft, parts });
    expectScopesToPublish(caller, draft, checked.compiled);
    if (!published) expectPublishable(checked);
    const version =
      published ?? (await writing(storeId, (db) => storeVersion(db, caller, publication, { draft, checked })));
    if (version === undefined) continue;
    const { compiled, problems } = checked;
    const [outdated, missing] = await writing(storeId, async (db) => [
      await findOutdated(db, storeId, version),
      draft.use === 'message' && compiled ? await oftenMissingOfCustomers(db, storeId, compiled) : [],
    ]);
    const warnings = [...problems.filter(({ severity }) => severity === 'warning'), ...missing];
    return { version, warnings: warnings.slice(0, MAX_PROBLEMS), outdated };
  }
  throw overloaded('What the template consists of is being published; try again later');
}

/** What is to be published; `published` is the version that was made of it already. */
async function readDraft(
  db: Sql,
  storeId: string,
  { id, revision }: TemplatePublication,
): Promise<{ draft: TemplateDraft; parts: Parts; published: TemplateVersion | undefined } | undefined> {
  const template = await findTemplate(db, storeId, id);
  if (!template) return undefined;
  if (template.status === 'archived') {
    throw new ServiceError('validation_error', 'An archived template can not be published');
  }
  const published = await findPublished(db, storeId, id, revision);
  if (!published && template.revision !== revision) throw staleRevision();
  const draft = (published ?? template).draft.parse<TemplateDraft>();
  return { draft, parts: await readParts(db, storeId, draft), published };
}

/** Returns the latest version, if it was made of a revision. */
async function findPublished(
  db: Sql,
  storeId: string,
  id: string,
  revision: number,
): Promise<TemplateVersion | undefined> {
  const { rows } = await sql<{ version: number }>`
    select version from template
    where store_id = ${storeId} and id = ${id} and published_revision = ${revision} and version is not null`.execute(
    db,
  );
  return rows[0] && (await findVersion(db, storeId, id, rows[0].version));
}

/** Throws `validation_error` with all that refuses the publication. */
function expectPublishable(checked: CheckedDraft): void {
  const errors = checked.problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const violations = errors.map(({ field, message }): Violation => ({ path: pathOf(field), problem: message }));
  throw new ServiceError('validation_error', describe(first), { violations });
}

/** "body, line 3, column 5: There is no filter \"shout\"" */
export function describe({ field, line, column, message }: TemplateProblem): string {
  const place = line === null ? '' : `, line ${line}${column === null ? '' : `, column ${column}`}`;
  return `${field}${place}: ${message}`;
}

/** `body.blocks[3].text` → `['body', 'blocks', 3, 'text']` */
function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/[^.[\]]+/g)].map(([name], i) => (i > 0 && /^\d+$/.test(name) ? Number(name) : name));
}

/** Returns undefined if something was published meanwhile that is part of it. */
async function storeVersion(
  db: Sql,
  { storeId, actor }: Caller,
  { id, revision }: TemplatePublication,
  { draft, checked }: { draft: TemplateDraft; checked: CheckedDraft },
): Promise<TemplateVersion | undefined> {
  const parts = Object.fromEntries(checked.copied);
  const compiled = draft.use === 'message' ? JSON.stringify(checked.compiled) : null;
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      await lockTemplates(tx, storeId);
      const template = await lockTemplate(tx, storeId, id);
      if (!template || template.status === 'archived' || template.revision !== revision) throw staleRevision();
      if (template.publishedRevision === revision)
        return await findVersion(tx, storeId, id, template.version as number);
      if (!(await areLatest(tx, storeId, checked.copied))) return undefined;
      const number = (template.version ?? 0) + 1;
      if (number > MAX_VERSIONS) {
        const message = `The template already has ${MAX_VERSIONS} versions; create another one`;
        throw new ServiceError('validation_error', message);
      }
      await sql`
        insert into template_version
          (store_id, template_id, number, draft, class, compiled, parts, published_at, published_by, locales)
        select store_id, id, ${number}, draft, class, ${compiled}::json, ${JSON.stringify(parts)}::jsonb, now(), ${actor.id},
          ${texts([draft.locale, ...Object.keys(draft.translations)])}::text[]
        from template where store_id = ${storeId} and id = ${id}`.execute(tx);
      await sql`
        update template set version = ${number}, published_revision = revision, status = 'published'
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return await findVersion(tx, storeId, id, number);
    }),
  );
}

/** Whether those are the latest versions of all templates of which some were copied, and none of these is archived. */
async function areLatest(tx: Sql, storeId: string, copied: CheckedDraft['copied']): Promise<boolean> {
  if (copied.size === 0) return true;
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found
    from template t
    join jsonb_each_text(${JSON.stringify(Object.fromEntries(copied))}::jsonb) as part (id, number)
      on t.id = part.id::uuid and t.version = part.number::int
    where t.store_id = ${storeId} and t.status = 'published'`.execute(tx);
  return rows[0]?.found === copied.size;
}

async function findOutdated(
  db: Sql,
  storeId: string,
  { templateId, number }: TemplateVersion,
): Promise<PublishedTemplate['outdated']> {
  const { rows } = await sql<{ id: string; name: string }>`
    select t.id, t.name from template t
    join template_version v on v.store_id = t.store_id and v.template_id = t.id and v.number = t.version
    where t.store_id = ${storeId} and t.status = 'published' and v.store_id = ${storeId}
      and (v.parts ->> ${templateId}::text)::int < ${number}
    order by t.id desc`.execute(db);
  return rows;
}
