import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { ServiceError } from '../service-error.ts';
import { expectScopesToPublish } from './access/scopes.ts';
import { expectPublishable } from './check.ts';
import type { Definition, InFlight } from './core/definition/definition.ts';
import { watchedAttributes } from './core/definition/uses.ts';
import { staleRevision } from './drafts.ts';
import { checkNamed } from './named-parts.ts';
import { hasNewerTemplates, withVersions } from './pin-templates.ts';
import { holdSegment, planMembers, segmentProblems } from './plan-members.ts';
import { planSchedule, scheduleProblems } from './plan-schedule.ts';
import {
  changeAutomations,
  enterStatus,
  expectRoom,
  lockAutomation,
  takesRoom,
  watchAttributes,
} from './status-changes.ts';
import { findVersion, type VersionWithDefinition } from './versions.ts';

export interface Publication {
  id: string;
  /** That of the draft which whoever publishes has seen. */
  revision: number;
  inFlight: InFlight;
  /** The time zone of the store; null if it has none. */
  storeZone?: string | null;
}

/**
 * Makes the draft the next version, which never changes; the first one makes the automation live. A revision that is
 * the latest version already stays that, though the draft is another one by now, unless it is the draft and one of its
 * templates has a newer version. Returns undefined if the store has no such automation; throws `validation_error` if the
 * draft can't be published, and `forbidden` if the caller may not do what its steps do.
 */
export async function publishAutomation(
  db: Sql,
  caller: Caller,
  { id, revision, inFlight, storeZone = null }: Publication,
): Promise<VersionWithDefinition | undefined> {
  const { storeId, actor } = caller;
  return await changeAutomations(db, storeId, async (tx) => {
    const automation = await lockAutomation(tx, storeId, id);
    if (!automation) return undefined;
    if (automation.status === 'archived') {
      throw new ServiceError('validation_error', 'An archived automation can not be published');
    }
    if (automation.version !== null && automation.publishedRevision === revision) {
      const published = (await findVersion(tx, storeId, id, automation.version)) as VersionWithDefinition;
      const definition = published.definition.parse<Definition>();
      expectScopesToPublish(caller, definition);
      const isDraft = automation.revision === revision;
      const isOutdated =
        isDraft && (await hasNewerTemplates(tx, storeId, await readDraft(tx, storeId, id), definition));
      if (!isOutdated) return published;
    }
    if (automation.revision !== revision) throw staleRevision();
    const definition = await readDraft(tx, storeId, id);
    expectScopesToPublish(caller, definition);
    const segment = await holdSegment(tx, storeId, definition);
    const named = await checkNamed(tx, storeId, definition, { locks: true });
    const scheduling = { automationId: id, definition, storeZone };
    const problems = [...segmentProblems(segment, definition), ...(await scheduleProblems(tx, storeId, scheduling))];
    expectPublishable(definition, [...problems, ...named.problems]);
    const pinned = withVersions(definition, named.versions);
    const isFirst = automation.status === 'draft';
    if (isFirst) await expectRoom(tx, storeId);
    const number = (automation.version ?? 0) + 1;
    const status = automation.status === 'draft' ? 'live' : automation.status;
    const { trigger } = definition;
    const watched = [...watchedAttributes(definition)];
    await sql`
      insert into automation_version
        (store_id, automation_id, number, definition, watched, in_flight, published_at, published_by)
      select store_id, id, ${number}, ${JSON.stringify(pinned)}::json, ${texts(watched)}::text[], ${inFlight}, now(), ${actor.id}
      from automation where store_id = ${storeId} and id = ${id}`.execute(tx);
    await sql`
      update automation
      set version = ${number}, published_revision = revision, status = ${status}, trigger = draft -> 'trigger',
        event_type = ${trigger.type === 'event' ? trigger.event_type : null}, segment_id = ${segment?.id ?? null}
        ${isFirst ? sql`, updated_at = now()` : sql``}
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    await enterStatus(tx, storeId, { automationId: id, status, version: number, by: actor.id });
    await planDates(tx, storeId, id, number, definition);
    await planMembers(tx, storeId, { automationId: id, number, definition }, segment);
    if (takesRoom(status)) await planSchedule(tx, storeId, { ...scheduling, version: number });
    await watchAttributes(tx, storeId);
    return await findVersion(tx, storeId, id, number);
  });
}

async function readDraft(tx: Sql, storeId: string, id: string): Promise<Definition> {
  const { rows } = await sql<{ draft: RawJson }>`
    select draft from automation where store_id = ${storeId} and id = ${id}`.execute(tx);
  return (rows[0] as (typeof rows)[number]).draft.parse<Definition>();
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
