import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import { audienceKey } from '../../conditions/standing.ts';
import type { ItemRef } from '../../conditions/subject.ts';
import { previewCodes } from '../../coupons/codes/preview.ts';
import { audiencesNamed } from '../core/definition/audiences.ts';
import type { Definition } from '../core/definition/definition.ts';
import { listOf } from '../core/definition/steps.ts';
import { itemKey } from '../core/machine/facts.ts';
import type { KnownStanding } from '../core/simulation/world.ts';
import { readItemFacts } from '../engine/item-facts.ts';
import { readConsents, readMemberships } from '../stored/standing.ts';

/** Returns what a customer has chosen, in which of the lists and segments they are that a definition names, and what items are like. */
export async function readStanding(
  db: Sql,
  storeId: string,
  profileId: string,
  definition: Definition,
  items: readonly ItemRef[],
): Promise<KnownStanding> {
  const audiences = audiencesNamed(definition);
  const questions = audiences.map((audience) => ({ profileId, audience }));
  const answers = await readMemberships(db, storeId, questions);
  const consents = await readConsents(db, storeId, [profileId]);
  const steps = definition.steps.filter((step) => step.type === 'assign_coupon');
  const lists = definition.steps.flatMap((step) => (step.type === 'subscribe' ? (listOf(step) ?? []) : []));
  const poolIds = steps.map(({ pool_id }) => pool_id.toLowerCase()).filter(isId);
  const coupons = await previewCodes(db, storeId, profileId, poolIds);
  return {
    coupons,
    confirmedLists: await findConfirmedLists(db, storeId, lists.filter(isId)),
    memberships: new Map(audiences.map((audience, i) => [audienceKey(audience), answers[i] ?? null])),
    consents: consents.get(profileId) ?? {},
    items: new Map((await readItemFacts(db, storeId, items)).map((facts, i) => [itemKey(items[i] as ItemRef), facts])),
  };
}

/** Returns those of some lists to which customers subscribe only once they have confirmed it. */
async function findConfirmedLists(db: Sql, storeId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from list where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and double_opt_in`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
