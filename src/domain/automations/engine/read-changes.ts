import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { isBadData, isDatabaseError } from '../../../db/driver-errors.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { PositionedChange } from '../../change-feed/changes.ts';
import { type FeedReader, type Progress, readNext, removeFeedReader } from '../../change-feed/feed-readers.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AutomationStatus } from '../core/machine/automation.ts';
import type { Input, ProfileChange } from '../core/machine/input.ts';
import { explainEntry } from '../core/machine/react.ts';
import { RECOMPUTED } from '../core/machine/skip.ts';
import { loadAutomations, type PublishedAutomation } from '../stored/automations.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import { Interest } from './interest.ts';
import { settleLanes, type Told } from './lane.ts';
import { Lanes, loadLanes } from './load-lanes.ts';
import { readMissedStatuses } from './missed-statuses.ts';
import type { EngineTools } from './tools.ts';
import { writeLanes } from './write-lanes.ts';

/** The name under which the position in a store's change feed is kept. */
export const READER = 'automations';
const KINDS = ['event', 'profile_change', 'automation_status'] as const;
type Kind = (typeof KINDS)[number] | 'profile';

/** Of what one transaction reads. `weight`: how many automations its changes concern, each change counted apart. */
const LIMITS = { items: 1_000, bytes: 4 * 1024 * 1024, weight: 4_000 };

/**
 * Reads a store's next changes, in the order in which they were committed, and tells the automations whom they concern,
 * each as it was at that moment: starts runs, wakes and ends them.
 */
export async function readChanges(
  db: Sql,
  storeId: string,
  tools: EngineTools,
  items = LIMITS.items,
): Promise<Progress> {
  try {
    return await readBatch(db, storeId, tools, items);
  } catch (error) {
    if (isDatabaseError(error) && !isBadData(error)) throw error;
    // Somewhere among them is what fails for ever; it must not hold up all that comes after it.
    if (items > 1) return await readChanges(db, storeId, tools, Math.floor(items / 10) || 1);
    tools.log.error({ err: error, store_id: storeId }, 'automations passed over a change on which they fail');
    return await readNext(db, { storeId, name: READER, kinds: KINDS }, { ...LIMITS, items }, async () => {});
  }
}

async function readBatch(db: Sql, storeId: string, tools: EngineTools, items: number): Promise<Progress> {
  let interest!: Interest;
  let automations!: PublishedAutomation[];
  const reader: FeedReader<Kind> = {
    storeId,
    name: READER,
    kinds: KINDS,
    select: async (tx) => {
      automations = await loadAutomations(tx, storeId, tools.versions);
      interest = new Interest(automations);
      // Whatever is published next adds it again, at the end of the feed.
      if (automations.length === 0) await removeFeedReader(tx, reader);
      const kinds = interest.inProfiles.length > 0 ? [...KINDS, 'profile' as const] : KINDS;
      return { kinds, eventTypes: interest.eventTypes };
    },
    weigh: (change) => (change.kind === 'event' ? interest.inEvent(change.event.eventType).length : 1),
  };
  return await retryConflicts(db, () =>
    readNext(db, reader, { ...LIMITS, items }, async (tx, { changes, hasGap }) => {
      if (hasGap) {
        tools.log.error({ store_id: storeId }, 'automations have missed changes that nobody read for a week');
        await readMissedStatuses(tx, reader);
        automations = await loadAutomations(tx, storeId, tools.versions);
        interest = new Interest(automations);
      }
      await handle(tx, storeId, changes, automations, interest, tools);
    }),
  );
}

async function handle(
  tx: Sql,
  storeId: string,
  changes: readonly PositionedChange<Kind>[],
  automations: readonly PublishedAutomation[],
  interest: Interest,
  tools: EngineTools,
): Promise<void> {
  const now = tools.now();
  const statuses = await readStatuses(tx, storeId, idsOf(changes, 'automation_status'));
  const watched = await readProfileChanges(tx, storeId, idsOf(changes, 'profile_change'));
  const lanes = new Lanes();
  const read = new Map(automations.map((automation) => [automation.id, automation]));
  const tell = ({ id }: PublishedAutomation, profileId: string, told: Told) => lanes.of(id, profileId).told.push(told);
  for (const change of changes) {
    if (change.kind === 'automation_status') {
      const status = statuses.get(change.id);
      const automation = status && read.get(status.automationId);
      // A new object: what was told before keeps the one before.
      if (automation) automation.read = { ...automation.read, status: status.status, version: status.version };
    } else if (change.kind === 'event') {
      const event = toCustomerEvent(change.event);
      const { profileId } = change.event;
      for (const { automation, wakes } of interest.inEvent(event.eventType)) {
        const input = { type: 'event', event, runId: newId() } as const;
        const isForRuns = !mayEnter(profileId, input, automation.read, now);
        if (wakes || !isForRuns) tell(automation, profileId, { input, automation: automation.read, isForRuns });
      }
    } else if (change.kind === 'profile') {
      for (const automation of interest.inProfiles) {
        const input = { type: 'change', change: ofIdentifiers(change.addedAt), runId: newId() } as const;
        tell(automation, change.profileId, { input, automation: automation.read, isForRuns: true });
      }
    } else {
      const found = watched.get(change.id);
      if (!found) continue;
      for (const automation of interest.inChange(Object.keys(found.change.changes))) {
        const input = { type: 'change', change: found.change, runId: newId() } as const;
        tell(automation, found.profileId, { input, automation: automation.read });
      }
    }
  }
  await loadLanes(tx, storeId, lanes);
  await settleLanes(tx, storeId, lanes.all, now);
  for (const { automationId, fault } of lanes.all) {
    if (fault) tools.log.error({ err: fault, automation_id: automationId }, 'an automation failed on a change');
  }
  await writeLanes(
    tx,
    storeId,
    lanes.all.filter(({ fault }) => !fault),
    now,
  );
  await moveStatuses(tx, storeId, [...statuses.values()]);
}

/**
 * Whether an event may start a run, or has to be noted as one that did not. Most do not pass the filter, and then nothing
 * has to be known of their customers.
 */
function mayEnter(
  profileId: string,
  input: Extract<Input, { type: 'event' }>,
  automation: Told['automation'],
  now: number,
): boolean {
  const entry = explainEntry({ profileId, enrolments: [], runs: [] }, input, { now, automation });
  if (!entry) return false;
  return 'needs' in entry || entry.entered || !RECOMPUTED.has(entry.reason);
}

/** Which identifiers have changed is not written down: those who wait for one look at what the profile has now. */
function ofIdentifiers(at: number): ProfileChange {
  return { id: newId(), at, depth: 0, changes: {} };
}

function idsOf(changes: readonly PositionedChange<Kind>[], kind: Kind): string[] {
  return changes.flatMap((change) => (change.kind === kind && 'id' in change ? [change.id] : []));
}

interface StatusChange {
  id: string;
  automationId: string;
  status: AutomationStatus;
  version: number | null;
}

async function readStatuses(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, StatusChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<StatusChange>`
    select s.id, s.automation_id as "automationId", s.status, s.version
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select * from automation_status
      where store_id = ${storeId} and id >= w.id and id <= w.id
      order by id
      limit 1
    ) s`.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as StatusChange]] : [])));
}

async function readProfileChanges(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, { profileId: string; change: ProfileChange }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; profileId: string; changes: RawJson; depth: number; at: number }>`
    select c.id, c.profile_id as "profileId", c.changes, c.depth,
      (extract(epoch from c.changed_at) * 1000)::float8 as at
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (select * from profile_change where store_id = ${storeId} and id = w.id limit 1) c`.execute(tx);
  return new Map(
    rows.map(({ id, profileId, changes, depth, at }) => [
      id,
      { profileId, change: { id, at, depth, changes: changes.parse<ProfileChange['changes']>() } },
    ]),
  );
}

/** Where the reader is now, automations have what they were last said to have. */
async function moveStatuses(tx: Sql, storeId: string, statuses: readonly StatusChange[]): Promise<void> {
  const last = [...new Map(statuses.map((status) => [status.automationId, status])).values()];
  if (last.length === 0) return;
  await sql`
    update automation a set read_status = w.status, read_version = w.version::int
    from unnest(
      ${uuids(last.map(({ automationId }) => automationId))}::uuid[],
      ${texts(last.map(({ status }) => status))}::text[],
      ${texts(last.map(({ version }) => (version === null ? null : String(version))))}::text[])
      as w (id, status, version)
    where a.store_id = ${storeId} and a.id = w.id`.execute(tx);
}
