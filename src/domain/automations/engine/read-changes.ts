import { isBadData, isDatabaseError } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import type { FeedPosition } from '../../feed/positions.ts';
import { type FeedReader, type Progress, readNext, removeFeedReader } from '../../feed/readers.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { loadAutomations, type PublishedAutomation, READER } from '../stored/automations.ts';
import { readItemChanges } from './audiences/item-change.ts';
import { planAudiences } from './audiences/plan.ts';
import { boundStarts } from './chain-bounds.ts';
import { readProfileChanges, readSegmentChanges } from './change-details.ts';
import { countGoals, type GoalEvent } from './count-goals.ts';
import { countFitting, Entrants, loadEntrants, settle } from './entrant.ts';
import { Interest, wantedEvents } from './interest.ts';
import { type Routed, type RoutedKind, routeChanges } from './route-changes.ts';
import { moveStatuses, readMissedStatuses, readStatuses } from './statuses.ts';
import type { EngineTools } from './tools.ts';
import { wakeForItems } from './wake-for-items.ts';
import { writeSound } from './write-entrants.ts';

const KINDS = ['event', 'profile_change', 'automation_status'] as const;

/** Changes that one transaction reads of which something may come, and bytes of their free-form data. */
export const MAX_CHANGES = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a store's next changes, in the order in which they were committed, and hands them to the automations that they concern,
 * each as it was at that moment: starts runs, wakes and ends them. A change on which this fails, whenever it is tried, is
 * logged and passed over. `items` are looked at together: fewer where that many can't be, as they are very large.
 */
export async function readChanges(
  db: Sql,
  storeId: string,
  tools: EngineTools,
  items = MAX_CHANGES,
): Promise<Progress> {
  const reading = new Reading(db, storeId, tools, items);
  try {
    return await reading.read(items);
  } catch (error) {
    if (!reading.isFaulty(error)) throw error;
    return await passOverFaulty(reading, reading.given);
  }
}

/** Searches for it by halves among the next changes, and handles those before it. */
async function passOverFaulty(reading: Reading, among: number): Promise<Progress> {
  let suspects = among;
  while (suspects > 1) {
    const half = Math.ceil(suspects / 2);
    try {
      const progress = await reading.read(half);
      // Another process may read meanwhile, and find it.
      if (progress !== 'more') return progress;
      suspects -= reading.handled;
    } catch (error) {
      if (!reading.isFaulty(error)) throw error;
      suspects = reading.given;
    }
  }
  return await reading.readOrPassOver();
}

/** Attempts to read, and what became of the last one. */
class Reading {
  readonly #db: Sql;
  readonly #storeId: string;
  readonly #tools: EngineTools;
  readonly #scanned: number;
  /** How many changes were to be handled, and how many were. */
  given = 0;
  handled = 0;
  #first: FeedPosition | undefined;

  constructor(db: Sql, storeId: string, tools: EngineTools, scanned: number) {
    this.#db = db;
    this.#storeId = storeId;
    this.#tools = tools;
    this.#scanned = scanned;
  }

  /** Whether changes were at fault, rather than the database or what has to be known first. */
  isFaulty(error: unknown): boolean {
    return this.given > 0 && (!isDatabaseError(error) || isBadData(error));
  }

  async read(items: number, passOver?: FeedPosition): Promise<Progress> {
    return await retryConflicts(this.#db, () => this.#readOnce(items, passOver));
  }

  /** Reads the next change, or passes over it if this fails. */
  async readOrPassOver(): Promise<Progress> {
    try {
      return await this.read(1);
    } catch (error) {
      if (!this.isFaulty(error)) throw error;
      const log = { err: error, store_id: this.#storeId };
      this.#tools.log.error(log, 'automations passed over a change on which they fail');
      return await this.read(1, this.#first);
    }
  }

  async #readOnce(items: number, passOver?: FeedPosition): Promise<Progress> {
    const [storeId, tools] = [this.#storeId, this.#tools];
    let automations: PublishedAutomation[] = [];
    let interest = new Interest(automations);
    [this.given, this.handled] = [0, 0];
    const load = async (tx: Sql) => {
      automations = await loadAutomations(tx, storeId, tools.versions);
      interest = new Interest(automations);
    };
    const reader: FeedReader<RoutedKind> = {
      storeId,
      name: READER,
      kinds: KINDS,
      select: async (tx) => {
        await load(tx);
        // Whatever is published next adds it again, at the end of the feed.
        if (automations.length === 0) {
          await removeFeedReader(tx, reader, async () => {
            await load(tx);
            return automations.length === 0;
          });
        }
        const kinds: RoutedKind[] = [...KINDS];
        if (interest.inProfiles.length > 0) kinds.push('profile');
        if (interest.isInLists) kinds.push('list_change');
        if (interest.startsOnConsents) kinds.push('consent_change');
        if (interest.isInSegments) kinds.push('segment_change');
        if (interest.inCatalog.length + interest.awaitingItems.length > 0) kinds.push('catalog_change');
        return { kinds, events: wantedEvents(storeId, interest) };
      },
    };
    const limits = { items, bytes: MAX_BYTES, scanned: this.#scanned };
    return await readNext(this.#db, reader, limits, async (tx, { changes, hasGap }) => {
      if (hasGap) {
        tools.log.error({ store_id: storeId }, 'automations have missed changes that nobody read for a week');
        await readMissedStatuses(tx, reader, tools.now());
        await load(tx);
      }
      [this.given, this.#first] = [changes.length, changes[0]?.position];
      // Another process may have come to it before.
      if (passOver && isSame(changes, passOver)) return undefined;
      this.handled = await handleChanges(tx, storeId, changes, automations, interest, tools);
      return this.handled;
    });
  }
}

function isSame([first]: readonly PositionedChange[], { entry, items }: FeedPosition): boolean {
  return first?.position.entry === entry && first.position.items === items;
}

/** Changes of profiles, of up to 32 KB each, and of segments in one transaction. */
const MAX_LOOKED_UP = 1_000;

const LOOKED_UP: ReadonlySet<RoutedKind> = new Set<RoutedKind>(['profile_change', 'segment_change', 'catalog_change']);

/** Hands changes to the automations that they concern, and writes what comes of it. Returns how many of the changes were handled. */
async function handleChanges(
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
  const itemChanges = await readItemChanges(tx, storeId, idsOf(changes, 'catalog_change'));
  const details = { statuses, profileChanges, segmentChanges, itemChanges };
  const routed = routeChanges(changes, details, automations, interest);
  const { entrants, handled } = await entrantsOf(tx, storeId, routed, tools);
  await settle(tx, storeId, entrants.all, now);
  await boundStarts(tx, storeId, entrants.all, tools, now);
  await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a change', now });
  // After those that start with the same changes.
  await countGoals(tx, storeId, goalEvents(routed.inputs, handled, new Set(interest.goalTypes)), tools);
  await planAudiences(
    tx,
    storeId,
    routed.audiences.filter(({ at }) => at < handled),
  );
  const ofItems = idsOf(changes.slice(0, handled), 'catalog_change');
  await wakeForItems(tx, storeId, interest.awaitingItems, ofItems, now);
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
  { inputs, handled }: Pick<Routed, 'inputs' | 'handled'>,
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

/** Events that may be goals, of those that were handled. */
function goalEvents(inputs: Routed['inputs'], handled: number, types: ReadonlySet<string>): GoalEvent[] {
  return inputs.flatMap(({ automationId, profileId, input: { input }, at }) => {
    if (at >= handled || input.type !== 'event' || !types.has(input.event.eventType)) return [];
    return input.event.backfill ? [] : [{ automationId, profileId, event: input.event }];
  });
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
