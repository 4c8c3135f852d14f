import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { invalid, invalidAll } from '../service-error.ts';
import { problemsOf } from './check.ts';
import type { Definition, InFlight } from './core/definition/definition.ts';
import { changeAutomations, enterStatus, lockAutomation, watchAttributes } from './status-changes.ts';
import type { VersionCache } from './stored/version-cache.ts';

export interface PublishedVersion {
  automationId: string;
  number: number;
  definition: Definition;
  inFlight: InFlight;
  publishedAt: Date;
  /** The id of the key. */
  publishedBy: string;
}

export interface Publication {
  id: string;
  /** That of the draft which whoever publishes has seen. */
  revision: number;
  inFlight: InFlight;
}

/** Automations of one store that may be live at a time. */
const MAX_LIVE = 100;

/**
 * Makes the draft the next version, which never changes; the first one makes the automation live. `authorize` throws if
 * the caller may not publish such a definition. Returns undefined if the store has no such automation.
 */
export async function publishAutomation(
  db: Sql,
  { storeId, keyId }: Caller,
  { id, revision, inFlight }: Publication,
  versions: VersionCache,
  authorize: (definition: Definition) => void,
): Promise<PublishedVersion | undefined> {
  let published: PublishedVersion | undefined;
  const publish = async (tx: Sql) => {
    const automation = await lockAutomation(tx, storeId, id);
    if (!automation) return undefined;
    if (automation.status === 'archived') throw invalid({ path: [], problem: 'can not be published: it is archived' });
    if (automation.revision !== revision) {
      throw invalid({ path: ['revision'], problem: `must be ${automation.revision}, that of the current draft` });
    }
    const definition = await readDraft(tx, storeId, id);
    const problems = problemsOf(definition);
    if (problems.length > 0) throw invalidAll(problems);
    authorize(definition);
    const isFirst = automation.status === 'draft';
    if (isFirst) await expectRoom(tx, storeId);
    const number = (automation.version ?? 0) + 1;
    const status = automation.status === 'draft' ? 'live' : automation.status;
    const publishedAt = new Date();
    await sql`
      with published as (
        insert into automation_version
          (store_id, automation_id, number, definition, in_flight, published_at, published_by)
        values (${storeId}, ${id}, ${number}, ${JSON.stringify(definition)}, ${inFlight}, ${publishedAt.toISOString()},
          ${keyId})
      )
      update automation set version = ${number}, status = ${status}, updated_at = now()
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    await enterStatus(tx, storeId, { automationId: id, status, version: number, by: keyId });
    await planDates(tx, storeId, id, number, definition);
    published = { automationId: id, number, definition, inFlight, publishedAt, publishedBy: keyId };
    await watchAttributes(tx, storeId, versions);
    return published;
  };
  try {
    return await changeAutomations(db, storeId, publish);
  } catch (error) {
    if (published) versions.forget(storeId, published);
    throw error;
  }
}

async function readDraft(tx: Sql, storeId: string, id: string): Promise<Definition> {
  const { rows } = await sql<{ draft: RawJson }>`
    select draft from automation where store_id = ${storeId} and id = ${id}`.execute(tx);
  return (rows[0] as (typeof rows)[number]).draft.parse<Definition>();
}

/** Not exact where several are published at the same time, and need not be. */
export async function expectRoom(tx: Sql, storeId: string): Promise<void> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from automation
    where store_id = ${storeId} and status in ('live', 'paused', 'draining')`.execute(tx);
  if ((rows[0]?.live ?? 0) < MAX_LIVE) return;
  throw invalid({ path: [], problem: `can not be published: the store has ${MAX_LIVE} live automations already` });
}

/** The dates of the customers that there are now are entered one after the other. */
async function planDates(
  tx: Sql,
  storeId: string,
  id: string,
  version: number,
  { trigger }: Definition,
): Promise<void> {
  if (trigger.type !== 'date') return;
  await sql`
    insert into automation_date_fill (store_id, automation_id, version, after_profile_id)
    values (${storeId}, ${id}, ${version}, ${LOWEST_ID})
    on conflict (store_id, automation_id) do update
    set version = excluded.version, after_profile_id = excluded.after_profile_id`.execute(tx);
}
