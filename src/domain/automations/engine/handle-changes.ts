import type { Sql } from '../../../db/sql.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import type { PublishedAutomation } from '../stored/automations.ts';
import { boundStarts } from './bound-starts.ts';
import { readProfileChanges, readSegmentChanges } from './change-details.ts';
import { Entrants, settle } from './entrant.ts';
import { countFitting } from './fitting-profiles.ts';
import type { Interest } from './interest.ts';
import { loadEntrants } from './load-entrants.ts';
import { type Routed, type RoutedKind, routeChanges } from './route-changes.ts';
import { moveStatuses, readStatuses } from './statuses.ts';
import type { EngineTools } from './tools.ts';
import { writeSound } from './write-entrants.ts';

/** Changes of profiles, of up to 32 KB each, and of segments in one transaction. */
const MAX_LOOKED_UP = 1_000;

const LOOKED_UP: ReadonlySet<RoutedKind> = new Set<RoutedKind>(['profile_change', 'segment_change']);

/** Hands changes to the automations that they concern, and writes what comes of it. Returns how many of the changes were handled. */
export async function handleChanges(
  tx: Sql,
  storeId: string,
  given: readonly PositionedChange<RoutedKind>[],
  automations: readonly PublishedAutomation[],
  interest: Interest,
  tools: EngineTools,
): Promise<number> {
  const now = tools.now();
  const changes = upTo(MAX_LOOKED_UP, given);
  const statuses = await readStatuses(tx, storeId, idsOf(changes, 'automation_status'));
  const profileChanges = await readProfileChanges(tx, storeId, idsOf(changes, 'profile_change'));
  const segmentChanges = await readSegmentChanges(tx, storeId, idsOf(changes, 'segment_change'));
  const routed = routeChanges(changes, { statuses, profileChanges, segmentChanges }, automations, interest);
  const { entrants, handled } = await entrantsOf(tx, storeId, routed, tools);
  await settle(tx, storeId, entrants.all, now);
  await boundStarts(tx, storeId, entrants.all, tools, now);
  await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a change', now });
  const passed = idsOf(changes.slice(0, handled), 'automation_status');
  await moveStatuses(
    tx,
    storeId,
    passed.flatMap((id) => statuses.get(id) ?? []),
  );
  return handled;
}

/** Loads those whom changes concern: of as many of these as concern customers who may be known together. */
async function entrantsOf(
  tx: Sql,
  storeId: string,
  { inputs, handled }: Routed,
  tools: EngineTools,
): Promise<{ entrants: Entrants; handled: number }> {
  const entrants = new Entrants();
  for (const { automationId, profileId, input } of inputs) entrants.of(automationId, profileId).inputs.push(input);
  await loadEntrants(tx, storeId, entrants, tools.versions);
  const concerned = new Set(entrants.all.map(({ profileId }) => profileId));
  const known = inputs.filter(({ profileId }) => concerned.has(profileId));
  const fitting = await countFitting(
    tx,
    storeId,
    known.map(({ profileId }) => profileId),
  );
  const end = known[fitting]?.at;
  if (end === undefined) return { entrants, handled };
  // The customers of one change are one.
  const fewer = { inputs: inputs.filter(({ at }) => at < end), handled: end };
  return await entrantsOf(tx, storeId, fewer, tools);
}

/** Returns the first changes, of which no more than so many are of profiles' attributes or of segments. */
function upTo(most: number, changes: readonly PositionedChange<RoutedKind>[]): readonly PositionedChange<RoutedKind>[] {
  let found = 0;
  const end = changes.findIndex(({ kind }) => LOOKED_UP.has(kind) && ++found > most);
  return end < 0 ? changes : changes.slice(0, end);
}

function idsOf(changes: readonly PositionedChange<RoutedKind>[], kind: RoutedKind): string[] {
  return changes.flatMap((change) => (change.kind === kind && 'id' in change ? [change.id] : []));
}
