import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { membersAfter } from '../../audiences/members-after.ts';
import type { Audience } from '../../conditions/audience.ts';
import type { ScheduleTrigger } from '../core/definition/definition.ts';
import type { Automation } from '../core/machine/automation.ts';
import { latestStart, nextOccurrence } from '../core/time/schedules.ts';
import { loadAutomations } from '../stored/automations.ts';
import {
  insertOccurrence,
  lockOpenOccurrence,
  type NotStarted,
  type StoredOccurrence,
  updateOccurrence,
} from '../stored/occurrences.ts';
import { countFitting, Entrants, loadEntrants, settle } from './entrant.ts';
import { takeInTurns } from './in-turns.ts';
import type { EngineTools } from './tools.ts';
import { writeSound } from './write-entrants.ts';

/** Members that one transaction looks at. */
const MAX_MEMBERS = 200;

/**
 * Begins a day of a schedule that has come, and plans the next, or starts runs for the next members of one that is under
 * way, in the order of their ids: the place moves in the transaction that starts them. Returns whether there may be more.
 */
export async function takeSchedules(
  db: Sql,
  storeId: string,
  tools: EngineTools,
  limit = MAX_MEMBERS,
): Promise<boolean> {
  const place = { db, storeId, log: tools.log, what: 'a member of a schedule' };
  let only: StoredOccurrence | undefined;
  return await takeInTurns(place, limit, async (tx, turn) => {
    const now = tools.now();
    // Where it failed, it is tried again with the same one: nobody else's members are passed over.
    const open = await lockOpenOccurrence(tx, storeId, now, only);
    if (!open) return false;
    only = open;
    const [found] = await loadAutomations(tx, storeId, tools.versions, [open.automationId]);
    const automation = found?.now;
    const trigger = automation && scheduleOf(automation);
    if (!automation || !trigger) {
      await updateOccurrence(tx, storeId, ended(open, 'stopped', now));
    } else if (open.status === 'planned') {
      await begin(tx, storeId, open, { automation, trigger, now });
    } else if (automation.status !== 'live') {
      await updateOccurrence(tx, storeId, ended(open, 'stopped', now));
    } else if (now > latestStart(trigger, open)) {
      await updateOccurrence(tx, storeId, ended(open, 'late', now));
    } else {
      const members = await nextMembers(tx, storeId, open, turn.limit);
      const some = members.slice(0, await countFitting(tx, storeId, members));
      turn.taken = some.length;
      if (!turn.passesOver) await startRuns(tx, storeId, open, automation, some, tools);
      const isOver = members.length < turn.limit && some.length === members.length;
      const reached = {
        ...open,
        afterProfileId: some.at(-1) ?? open.afterProfileId,
        members: open.members + some.length,
      };
      await updateOccurrence(tx, storeId, isOver ? ended(reached, 'done', now) : reached);
    }
    return true;
  });
}

function scheduleOf({ version, versions }: Automation): ScheduleTrigger | undefined {
  const trigger = version === null ? undefined : versions.get(version)?.definition.trigger;
  return trigger?.type === 'schedule' ? trigger : undefined;
}

function ended(open: StoredOccurrence, status: 'done' | NotStarted, now: number): StoredOccurrence {
  return { ...open, status, endedAt: now };
}

interface Beginning {
  automation: Automation;
  trigger: ScheduleTrigger;
  now: number;
}

/** Of several that nobody was there to begin, each is noted, and the last one begins if it is not too late for it. */
async function begin(
  tx: Sql,
  storeId: string,
  open: StoredOccurrence,
  { automation, trigger, now }: Beginning,
): Promise<void> {
  const next = nextOccurrence(trigger, open.timeZone, open.dueAt, open.day);
  const isMissed = now > latestStart(trigger, open) || (next !== undefined && next.dueAt <= now);
  const obstacle: NotStarted | undefined =
    automation.status === 'paused'
      ? 'paused'
      : isMissed
        ? 'late'
        : (await hasMembers(tx, storeId, open.audience))
          ? undefined
          : 'no_members_known';
  await updateOccurrence(
    tx,
    storeId,
    obstacle ? ended(open, obstacle, now) : { ...open, status: 'under_way', beganAt: now },
  );
  if (next) await insertOccurrence(tx, storeId, { ...open, ...next });
}

/** A segment has to be built, and followed. */
async function hasMembers(tx: Sql, storeId: string, { kind, id }: Audience): Promise<boolean> {
  if (kind === 'list') return true;
  const { rows } = await sql`
    select from segment where store_id = ${storeId} and id = ${id} and failure is null and generation > 0`.execute(tx);
  return rows.length > 0;
}

async function nextMembers(tx: Sql, storeId: string, open: StoredOccurrence, limit: number): Promise<string[]> {
  const members = membersAfter(storeId, [open.audience], open.afterProfileId, limit);
  const { rows } = await sql<{ profile_id: string }>`${members}`.execute(tx);
  return rows.map(({ profile_id }) => profile_id);
}

async function startRuns(
  tx: Sql,
  storeId: string,
  { automationId, day, dueAt }: StoredOccurrence,
  automation: Automation,
  members: readonly string[],
  tools: EngineTools,
): Promise<void> {
  const now = tools.now();
  const entrants = new Entrants();
  for (const profileId of members) {
    const input = { type: 'schedule', occasion: { day, dueAt }, runId: newId() } as const;
    entrants.of(automationId, profileId).inputs.push({ input, automation });
  }
  await loadEntrants(tx, storeId, entrants, tools.versions);
  await settle(tx, storeId, entrants.all, now);
  await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a day of a schedule', now });
}
