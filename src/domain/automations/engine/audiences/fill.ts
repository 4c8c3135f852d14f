import type { Sql } from '../../../../db/sql.ts';
import { newId } from '../../../../ids/uuid-v7.ts';
import { type ItemNow, readItemsNow } from '../../../catalog/items-now.ts';
import { evaluate } from '../../../conditions/evaluate.ts';
import { type CatalogTrigger, DEFAULT_MAX_CUSTOMERS } from '../../core/definition/definition.ts';
import type { Automation } from '../../core/machine/automation.ts';
import { loadAutomations } from '../../stored/automations.ts';
import { countFitting, Entrants, loadEntrants, settle } from '../entrant.ts';
import { type FillTurn, takeInTurns } from '../in-turns.ts';
import type { EngineTools } from '../tools.ts';
import { writeSound } from '../write-entrants.ts';
import { type Audience, BEGINNING, endAudience, lockAudience, moveAudience } from './audience.ts';
import { type Customer, markNotified, nextCustomers, notToldYet, stagesOf } from './customers.ts';
import { isStillSo } from './item-change.ts';
import { itemProperties } from './item-properties.ts';

/** Customers whom one transaction looks at, after it has looked at the item. */
const MAX_CUSTOMERS = 200;

/**
 * Starts runs for the customers whom a change of an item concerns, the first ones first: the place moves in the transaction that
 * starts them. Before each the item is looked at again: once it is not so any more, the others are skipped. Waits while the automation
 * is paused, and gives up when nobody enters it any more. Returns whether there may be more.
 */
export async function fillAudiences(db: Sql, storeId: string, tools: EngineTools): Promise<boolean> {
  const place = { db, storeId, log: tools.log, what: 'a customer of an item' };
  return await takeInTurns(place, MAX_CUSTOMERS, async (tx, turn) => {
    const audience = await lockAudience(tx, storeId);
    if (!audience) return false;
    const [found] = await loadAutomations(tx, storeId, tools.versions, [audience.automationId]);
    const trigger = found && triggerOf(found.now);
    if (!found || !trigger || found.now.status !== 'live' || !stagesOf(trigger).length) {
      await endAudience(tx, storeId, audience.id);
      return true;
    }
    await new Expansion({ tx, storeId, tools, audience, trigger, automation: found.now }).goOn(turn);
    return true;
  });
}

function triggerOf({ version, versions }: Automation): CatalogTrigger | undefined {
  const trigger = version === null ? undefined : versions.get(version)?.definition.trigger;
  return trigger?.type === 'catalog' ? trigger : undefined;
}

interface Expanding {
  tx: Sql;
  storeId: string;
  tools: EngineTools;
  audience: Audience;
  trigger: CatalogTrigger;
  automation: Automation;
}

/** One turn of an audience. */
class Expansion {
  readonly #of: Expanding;

  constructor(of: Expanding) {
    this.#of = of;
  }

  async goOn(turn: FillTurn): Promise<void> {
    const { tx, storeId, audience, trigger } = this.#of;
    const [item] = await readItemsNow(tx, storeId, [audience]);
    const isOver = audience.isOver || !isStillSo(trigger, audience, item);
    const properties = itemProperties(audience, item);
    const room = this.#roomLeft(item, isOver);
    if (room <= 0 || !fits(trigger, properties, audience.at)) return await endAudience(tx, storeId, audience.id);
    const limit = Math.min(turn.limit, room);
    const stage = { ...audience, ...this.#stage() };
    const customers = await nextCustomers(tx, storeId, stage, trigger, limit);
    const fitting = await countFitting(
      tx,
      storeId,
      customers.map(({ profileId }) => profileId),
    );
    const some = customers.slice(0, fitting);
    turn.taken = some.length;
    const told = turn.passesOver ? [] : await this.#startRuns(some, properties, isOver);
    await markNotified(tx, storeId, audience, told);
    const counts = { lookedAt: audience.lookedAt + some.length, told: audience.told + told.length, isOver };
    await this.#moveOn(
      stage,
      customers.length < limit && some.length === customers.length ? undefined : some.at(-1),
      counts,
    );
  }

  /** Customers whom it may still look at: as many as may be told, or as would have been. */
  #roomLeft(item: ItemNow | undefined, isOver: boolean): number {
    const { audience, trigger } = this.#of;
    const { max_customers = DEFAULT_MAX_CUSTOMERS, per_unit } = trigger;
    if (isOver) return max_customers - audience.lookedAt;
    const stock = item?.stock ?? null;
    // What is sold without any in stock can be bought by as many as want it.
    const isCounted = stock !== null && (stock > 0 || item?.isInStock !== true);
    const most = per_unit === undefined || !isCounted ? max_customers : Math.min(max_customers, per_unit * stock);
    return most - audience.told;
  }

  /** A version may have been published since, with another audience. */
  #stage(): Pick<Audience, 'stage' | 'afterAt' | 'afterId'> {
    const { audience, trigger } = this.#of;
    const stages = stagesOf(trigger);
    if (stages.includes(audience.stage)) return audience;
    return { stage: stages[0] as Audience['stage'], ...BEGINNING };
  }

  /** Returns the customers for whom a run has started. */
  async #startRuns(customers: readonly Customer[], properties: Record<string, unknown>, isOver: boolean) {
    const { tx, storeId, tools, audience, automation } = this.#of;
    const { automationId, changeId: id, kind, itemId, at } = audience;
    const now = tools.now();
    const entrants = new Entrants();
    for (const profileId of await notToldYet(tx, storeId, audience, customers)) {
      const change = { id, kind, itemId, at, properties };
      const input = { type: 'catalog', change, isOver, runId: newId() } as const;
      entrants.of(automationId, profileId).inputs.push({ input, automation, onlyStarts: true });
    }
    await loadEntrants(tx, storeId, entrants, tools.versions);
    await settle(tx, storeId, entrants.all, now);
    await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a change of an item', now });
    return entrants.all.flatMap(({ profileId, reactions }) =>
      reactions.some(({ runs }) => runs.some(({ trigger }) => trigger.type === 'catalog' && trigger.id.includes(id)))
        ? [profileId]
        : [],
    );
  }

  /** `last`: the last one who was looked at; undefined if there are no more who belong to it in this way. */
  async #moveOn(
    { stage, id }: Audience,
    last: Customer | undefined,
    counts: Pick<Audience, 'lookedAt' | 'told' | 'isOver'>,
  ): Promise<void> {
    const { tx, storeId, trigger } = this.#of;
    if (last) return await moveAudience(tx, storeId, id, { ...counts, ...last, stage });
    const stages = stagesOf(trigger);
    const next = stages[stages.indexOf(stage) + 1];
    if (!next) return await endAudience(tx, storeId, id);
    await moveAudience(tx, storeId, id, { ...counts, ...BEGINNING, stage: next });
  }
}

function fits({ filter }: CatalogTrigger, properties: Record<string, unknown>, now: number): boolean {
  return !filter || evaluate(filter, { properties, now }).holds;
}
