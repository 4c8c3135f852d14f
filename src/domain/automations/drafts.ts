import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { isId, newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { withCanonicalNumbers } from '../conditions/canonical-numbers.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectScopesToDefine } from './access/scopes.ts';
import { expectWellFormed } from './check.ts';
import { type CheckedAutomation, findChecked } from './checked-automation.ts';
import { withCanonicalTypes } from './core/definition/canonical-types.ts';
import { conditionsOf } from './core/definition/conditions-of.ts';
import type { Definition } from './core/definition/definition.ts';
import { segmentOf } from './core/definition/uses.ts';
import { lockAutomation, lockAutomations } from './status-changes.ts';

/** Automations of one store that may be there at a time, archived ones not counted. */
const MAX_AUTOMATIONS = 200;

/**
 * Creates an automation that does nothing yet. Throws `validation_error` if the store has too many, and `forbidden` if the
 * caller may not read what the definition reads.
 */
export async function createAutomation(
  db: Sql,
  caller: Caller,
  definition: Definition,
  once: Once<CheckedAutomation> = always,
): Promise<CheckedAutomation> {
  expectScopesToDefine(caller, definition);
  expectWellFormed(definition);
  const { storeId } = caller;
  const id = newId();
  const { name, trigger, eventType, segmentId, draft } = columnsOf(definition, caller.country);
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        await lockAutomations(tx, storeId);
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from automation
          where store_id = ${storeId} and status in ('draft', 'live', 'paused', 'draining')`.execute(tx);
        if ((rows[0]?.count ?? 0) >= MAX_AUTOMATIONS) {
          const message = `The store already has ${MAX_AUTOMATIONS} automations; archive one first`;
          throw new ServiceError('validation_error', message);
        }
        await sql`
          insert into automation
            (store_id, id, name, draft, revision, status, trigger, event_type, segment_id, created_at, updated_at,
              read_status, takes_client_events)
          values (${storeId}, ${id}, ${name}, ${draft}::json, 1, 'draft', ${trigger}::json, ${eventType}, ${segmentId},
            now(), now(), 'draft', false)`.execute(tx);
        return (await findChecked(tx, storeId, id)) as CheckedAutomation;
      }),
    ),
  );
}

export interface Revision {
  id: string;
  /** That of the draft which is replaced. */
  revision: number;
  definition: Definition;
}

/**
 * Replaces the draft of an automation; one that is so already, at the next revision, stays. Returns undefined if the store
 * has none with this id; throws `validation_error` if somebody else has replaced the draft, or the automation is archived,
 * and `forbidden` as above.
 */
export async function reviseAutomation(
  db: Sql,
  caller: Caller,
  { id, revision, definition }: Revision,
): Promise<CheckedAutomation | undefined> {
  expectScopesToDefine(caller, definition);
  expectWellFormed(definition);
  const { storeId } = caller;
  const { name, trigger, eventType, segmentId, draft } = columnsOf(definition, caller.country);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const automation = await lockAutomation(tx, storeId, id);
      if (!automation) return undefined;
      // A retry of what was done already.
      if (automation.revision === revision + 1 && (await isDraft(tx, storeId, id, draft))) {
        return await findChecked(tx, storeId, id);
      }
      if (automation.status === 'archived') {
        throw new ServiceError('validation_error', 'The draft of an archived automation can not be changed');
      }
      if (automation.revision !== revision) throw staleRevision();
      const isPublished = automation.version !== null;
      await sql`
        update automation
        set draft = ${draft}::json, name = ${name}, revision = revision + 1, updated_at = now()
          ${isPublished ? sql`` : sql`, trigger = ${trigger}::json, event_type = ${eventType}, segment_id = ${segmentId}`}
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return await findChecked(tx, storeId, id);
    }),
  );
}

async function isDraft(tx: Sql, storeId: string, id: string, draft: string): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`
    select draft::jsonb = ${draft}::jsonb as "isSame" from automation
    where store_id = ${storeId} and id = ${id}`.execute(tx);
  return rows[0]?.isSame === true;
}

export function staleRevision(): ServiceError {
  return invalid({ path: ['revision'], problem: 'is not the current one; the draft has been changed since' });
}

function columnsOf(given: Definition, country: string | null) {
  const definition = withCanonicalNumbers(withCanonicalTypes(given), country, (whole) =>
    conditionsOf(whole).map(({ condition }) => condition),
  );
  const { name, trigger } = definition;
  const eventType = trigger.type === 'event' ? trigger.event_type : null;
  // A draft may hold anything.
  const named = segmentOf(definition);
  const segmentId = named !== null && isId(named) ? named : null;
  return { name, trigger: JSON.stringify(trigger), eventType, segmentId, draft: JSON.stringify(definition) };
}
