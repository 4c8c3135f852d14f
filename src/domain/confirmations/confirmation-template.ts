import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid, ServiceError, type Violation } from '../service-error.ts';
import type { CompiledTemplate } from '../templates/core/compiled.ts';
import { expectSendable } from '../templates/sendable.ts';
import { readCompiled } from '../templates/versions.ts';

/** What a message that asks to confirm is made of; the text of the service where there is no version. */
export interface ConfirmationVersion {
  /** The list, as customers know it; else as the store does. */
  name: string;
  version: { templateId: string; number: number } | undefined;
}

/** A template that has been archived since, or is not fit for it any more, does not keep customers from being asked. */
export async function findConfirmationVersion(tx: Sql, storeId: string, listId: string): Promise<ConfirmationVersion> {
  const { rows } = await sql<{ name: string; templateId: string | null }>`
    select coalesce(public_name, name) as name, confirmation_template_id as "templateId" from list
    where store_id = ${storeId} and id = ${listId}`.execute(tx);
  const [{ name, templateId } = { name: '', templateId: null }] = rows;
  return { name, version: templateId === null ? undefined : await currentVersion(tx, storeId, templateId) };
}

async function currentVersion(tx: Sql, storeId: string, templateId: string): Promise<ConfirmationVersion['version']> {
  try {
    const version = await expectSendable(tx, storeId, templateId, undefined, 'email');
    if (version.class !== 'transactional') return undefined;
    return (await localeWithoutLink(tx, storeId, templateId, version.number)) === undefined
      ? { templateId, number: version.number }
      : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_error') return undefined;
    throw error;
  }
}

const FIELD = 'confirmation_template_id';

/** Throws `validation_error` unless customers can be asked by a template, whose texts have to have the link. */
export async function expectConfirmationTemplate(db: Sql, storeId: string, templateId: string): Promise<void> {
  const version = await sendableVersion(db, storeId, templateId);
  if (version.class !== 'transactional') {
    throw invalid({ path: [FIELD], problem: 'must be that of a transactional template, as nobody has consented yet' });
  }
  const locale = await localeWithoutLink(db, storeId, templateId, version.number);
  if (locale === undefined) return;
  throw invalid({ path: [FIELD], problem: `is that of a template without {{ data.confirm_url }} in ${locale}` });
}

/** The first of the languages in which nothing that is shown leads to where one confirms. */
async function localeWithoutLink(
  db: Sql,
  storeId: string,
  templateId: string,
  version: number,
): Promise<string | undefined> {
  const found = await readCompiled(db, storeId, templateId, version);
  const contents = found?.compiled.parse<CompiledTemplate>().contents ?? {};
  return Object.entries(contents).find(([, { html }]) => !html.includes('confirm_url'))?.[0];
}

async function sendableVersion(db: Sql, storeId: string, templateId: string) {
  try {
    return await expectSendable(db, storeId, templateId, undefined, 'email');
  } catch (error) {
    if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
    throw invalid({ path: [FIELD], problem: (error.violations[0] as Violation).problem });
  }
}
