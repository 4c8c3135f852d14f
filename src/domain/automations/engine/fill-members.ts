import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { AutomationStatus } from '../core/machine/automation.ts';
import { loadAutomations } from '../stored/automations.ts';
import { countFitting, Entrants, loadEntrants, settle } from './entrant.ts';
import { takeInTurns } from './in-turns.ts';
import type { EngineTools } from './tools.ts';
import { writeSound } from './write-entrants.ts';

/** Members that one transaction looks at. */
const MAX_MEMBERS = 200;

interface Fill {
  automationId: string;
  version: number;
  segmentId: string;
  generation: number;
  /** As the database prints it. */
  since: string;
  afterProfileId: string;
  status: AutomationStatus;
}

interface Member {
  profileId: string;
  /** Whether they came after the publication: then their change starts a run. */
  hasComeSince: boolean;
}

/**
 * Starts runs for the customers who were in a segment when a version was published and are in it still, in the order of
 * their ids: the place moves in the transaction that starts them. Waits while the automation is paused, and gives up when
 * nobody enters it any more. Returns whether there may be more.
 */
export async function fillMembers(db: Sql, storeId: string, tools: EngineTools): Promise<boolean> {
  const place = { db, storeId, log: tools.log, what: 'a member of a segment' };
  return await takeInTurns(place, MAX_MEMBERS, async (tx, turn) => {
    const fill = await lockFill(tx, storeId);
    if (!fill) return false;
    const isOpen = fill.status === 'live';
    const members = isOpen ? await nextMembers(tx, storeId, fill, turn.limit) : [];
    const fitting = await countFitting(
      tx,
      storeId,
      members.map(({ profileId }) => profileId),
    );
    const some = members.slice(0, fitting);
    turn.taken = some.length;
    if (!turn.passesOver) await startRuns(tx, storeId, fill, some, tools);
    const isAll = members.length < turn.limit && some.length === members.length;
    await moveOn(tx, storeId, fill, isAll ? undefined : some.at(-1));
    return true;
  });
}

async function lockFill(tx: Sql, storeId: string): Promise<Fill | undefined> {
  const { rows } = await sql<Fill>`
    select f.automation_id as "automationId", f.version, f.segment_id as "segmentId", f.generation,
      f.since::text as since, f.after_profile_id as "afterProfileId", a.status
    from automation_member_fill f
    join automation a on a.store_id = ${storeId} and a.id = f.automation_id and a.status <> 'paused'
    where f.store_id = ${storeId}
    order by f.automation_id
    limit 1
    for update of f skip locked`.execute(tx);
  return rows[0];
}

async function nextMembers(tx: Sql, storeId: string, fill: Fill, limit: number): Promise<Member[]> {
  const { segmentId, generation, since, afterProfileId } = fill;
  const { rows } = await sql<Member>`
    select m.profile_id as "profileId", exists (
        select from segment_change c
        where c.store_id = ${storeId} and c.profile_id = m.profile_id and c.segment_id = ${segmentId}
          and c.kind = 'entered' and c.generation <= s.generation
          and (c.written_at >= ${since}::timestamptz or c.generation > ${generation}::int)
      ) as "hasComeSince"
    from segment s
    join segment_member m on m.store_id = ${storeId} and m.segment_id = s.id and m.generation = s.generation
    where s.store_id = ${storeId} and s.id = ${segmentId} and m.profile_id > ${afterProfileId}
    order by m.profile_id
    limit ${limit}`.execute(tx);
  return rows;
}

async function startRuns(
  tx: Sql,
  storeId: string,
  { automationId, version, segmentId }: Fill,
  members: readonly Member[],
  tools: EngineTools,
): Promise<void> {
  const at = tools.now();
  const [found] = await loadAutomations(tx, storeId, tools.versions, [automationId]);
  const entrants = new Entrants();
  if (!found) return;
  for (const { profileId, hasComeSince } of members) {
    if (hasComeSince) continue;
    const input = { type: 'member', segmentId, version, at, runId: newId() } as const;
    entrants.of(automationId, profileId).inputs.push({ input, automation: found.now });
  }
  await loadEntrants(tx, storeId, entrants, tools.versions);
  await settle(tx, storeId, entrants.all, at);
  await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a member', now: at });
}

/** `last`: the last member who was looked at; undefined if there are no more. */
async function moveOn(tx: Sql, storeId: string, { automationId }: Fill, last: Member | undefined): Promise<void> {
  const own = sql`store_id = ${storeId} and automation_id = ${automationId}`;
  if (last) await sql`update automation_member_fill set after_profile_id = ${last.profileId} where ${own}`.execute(tx);
  else await sql`delete from automation_member_fill where ${own}`.execute(tx);
}
