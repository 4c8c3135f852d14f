import type { Sql } from '../../../db/sql.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import type { PublishedAutomation } from '../stored/automations.ts';
import { boundStarts } from './bound-starts.ts';
import { countFitting } from './fitting-profiles.ts';
import type { Interest } from './interest.ts';
import { settleLanes } from './lane.ts';
import { Lanes, loadLanes } from './load-lanes.ts';
import { readProfileChanges } from './profile-changes.ts';
import { moveStatuses, readStatuses } from './read-statuses.ts';
import { readSegmentChanges } from './segment-changes.ts';
import { type Telling, type ToldKind, tellChanges } from './tell-changes.ts';
import type { EngineTools } from './tools.ts';
import { writeLanes } from './write-lanes.ts';

/** Changes of profiles, of up to 32 KB each, and of segments in one transaction. */
const MAX_LOOKED_UP = 1_000;

const LOOKED_UP: ReadonlySet<ToldKind> = new Set<ToldKind>(['profile_change', 'segment_change']);

/** Tells automations of changes, and writes what comes of it. Returns how many of the changes were handled. */
export async function handleChanges(
  tx: Sql,
  storeId: string,
  given: readonly PositionedChange<ToldKind>[],
  automations: readonly PublishedAutomation[],
  interest: Interest,
  tools: EngineTools,
): Promise<number> {
  const now = tools.now();
  const changes = upTo(MAX_LOOKED_UP, given);
  const statuses = await readStatuses(tx, storeId, idsOf(changes, 'automation_status'));
  const profileChanges = await readProfileChanges(tx, storeId, idsOf(changes, 'profile_change'));
  const segmentChanges = await readSegmentChanges(tx, storeId, idsOf(changes, 'segment_change'));
  const told = tellChanges(changes, { statuses, profileChanges, segmentChanges }, automations, interest);
  const { lanes, handled } = await lanesOf(tx, storeId, told, tools);
  await settleLanes(tx, storeId, lanes.all, now);
  await boundStarts(tx, storeId, lanes.all, tools, now);
  for (const { automationId, fault } of lanes.all) {
    if (fault) tools.log.error({ err: fault, automation_id: automationId }, 'an automation failed on a change');
  }
  await writeLanes(
    tx,
    storeId,
    lanes.all.filter(({ fault }) => !fault),
    now,
  );
  const passed = idsOf(changes.slice(0, handled), 'automation_status');
  await moveStatuses(
    tx,
    storeId,
    passed.flatMap((id) => statuses.get(id) ?? []),
  );
  return handled;
}

/** Loads what is told to whom: of as many changes as concern customers who may be known together. */
async function lanesOf(
  tx: Sql,
  storeId: string,
  { tellings, handled }: { tellings: readonly Telling[]; handled: number },
  tools: EngineTools,
): Promise<{ lanes: Lanes; handled: number }> {
  const lanes = new Lanes();
  for (const { automationId, profileId, told } of tellings) lanes.of(automationId, profileId).told.push(told);
  await loadLanes(tx, storeId, lanes, tools.versions);
  const concerned = new Set(lanes.all.map(({ profileId }) => profileId));
  const known = tellings.filter(({ profileId }) => concerned.has(profileId));
  const fitting = await countFitting(
    tx,
    storeId,
    known.map(({ profileId }) => profileId),
  );
  const end = known[fitting]?.at;
  if (end === undefined) return { lanes, handled };
  // The customers of one change are one.
  const fewer = { tellings: tellings.filter(({ at }) => at < end), handled: end };
  return await lanesOf(tx, storeId, fewer, tools);
}

/** Returns the first changes, of which no more than so many are of profiles' attributes or of segments. */
function upTo(most: number, changes: readonly PositionedChange<ToldKind>[]): readonly PositionedChange<ToldKind>[] {
  let found = 0;
  const end = changes.findIndex(({ kind }) => LOOKED_UP.has(kind) && ++found > most);
  return end < 0 ? changes : changes.slice(0, end);
}

function idsOf(changes: readonly PositionedChange<ToldKind>[], kind: ToldKind): string[] {
  return changes.flatMap((change) => (change.kind === kind && 'id' in change ? [change.id] : []));
}
