import { HistoryTooLong, MissingFacts } from '../../../conditions/facts-needed.ts';
import { Total } from '../../../conditions/history.ts';
import { audienceKey, type Standing } from '../../../conditions/standing.ts';
import type {
  CustomerEvent,
  HistoryCount,
  HistoryQuestion,
  ItemFacts,
  ItemOfRun,
  ItemRef,
  JsonObject,
  Profile,
  Subject,
} from '../../../conditions/subject.ts';
import type { Zone } from '../../../time/zone.ts';
import type { Definition } from '../definition/definition.ts';
import type { Automation } from './automation.ts';
import { customerZone } from './customer-zone.ts';
import type { Draw } from './draw.ts';
import { type Effect, isOfStanding } from './effects.ts';
import { countedKey, couponKey, type Facts, itemKey, type NoCoupon, questionKey } from './facts.ts';
import { isBefore } from './matching.ts';
import type { LookBackQuestion, Need } from './need.ts';
import { resultsData } from './results.ts';
import type { Origin, RunCoupon, StepResults } from './run.ts';

/** All that a reaction depends on beside state and input. */
export interface Context {
  /** Milliseconds. */
  now: number;
  automation: Automation;
  facts: Facts;
  draw: Draw;
}

/** What a reaction knows of the customer: what has been looked up, and what it has done itself. */
export class Lookups {
  readonly context: Context;
  protected readonly effects: Effect[] = [];
  #profile: Profile | undefined;
  #before: CustomerEvent | undefined;

  constructor(context: Context) {
    this.context = context;
    this.#profile = context.facts.profile;
  }

  get now(): number {
    return this.context.now;
  }

  profile(): Profile {
    if (!this.#profile) throw new MissingFacts([{ type: 'profile' }]);
    return this.#profile;
  }

  /** Later steps see what earlier ones have set. */
  changeAttributes(change: (attributes: Profile['attributes']) => Profile['attributes']): void {
    const profile = this.profile();
    this.#profile = { ...profile, attributes: change(profile.attributes) };
  }

  /** Without an attribute to look at, the profile is not needed. */
  zone(definition: Definition): Zone {
    const needsProfile = definition.time_zone?.attribute !== undefined;
    return customerZone(definition, needsProfile ? this.profile().attributes : {});
  }

  /** Whether a step has changed lists or consent: conditions have to read them anew, once that is written. */
  get hasChangedStanding(): boolean {
    return this.effects.some(isOfStanding);
  }

  /** Of lists, segments and consent, as they were before the reaction. */
  get standing(): Standing {
    const { memberships, consents } = this.context.facts;
    return { memberSince: (audience) => memberships?.get(audienceKey(audience)), consents: () => consents };
  }

  /** What conditions of a run look at. */
  subject(properties: JsonObject, trigger: Origin, results: StepResults | null = null): Subject {
    return {
      now: this.now,
      properties,
      steps: resultsData(results),
      profile: () => this.profile(),
      standing: this.standing,
      ...(trigger.type === 'catalog' && { item: this.#itemOf(properties) }),
      history: {
        now: this.now,
        since: trigger.at,
        triggerEventId: trigger.eventId ?? undefined,
        count: (question) => this.#count(question),
      },
    };
  }

  /** What conditions see of the item that a run is about. */
  #itemOf({ item_id, variant_id, currency }: JsonObject): ItemOfRun {
    const ref = { itemId: String(item_id), variantId: typeof variant_id === 'string' ? variant_id : null };
    const now = () => this.context.facts.items?.get(itemKey(ref));
    return { ref, currency: typeof currency === 'string' ? currency : undefined, now };
  }

  /** An item as the catalog has it now. */
  item(ref: ItemRef): ItemFacts {
    const found = this.context.facts.items?.get(itemKey(ref));
    if (!found) throw new MissingFacts([{ type: 'item', ...ref }]);
    return found;
  }

  /** Events that have been emitted in this reaction. */
  get emitted(): number {
    return this.effects.filter(({ type }) => type === 'emit_event').length;
  }

  /** A code for a run, the same however often it asks. */
  coupon(asked: { poolId: string; runId: string }): RunCoupon | NoCoupon {
    const found = this.context.facts.coupons?.get(couponKey(asked));
    if (found === undefined) throw new MissingFacts([{ type: 'coupon', ...asked }]);
    return found;
  }

  /** Why a webhook of a run that counts as a message is not sent; null if it is, and counts. */
  counted(asked: Omit<Extract<Need, { type: 'counted' }>, 'type' | 'at'>): string | null {
    const found = this.context.facts.counted?.get(countedKey(asked));
    if (found === undefined) throw new MissingFacts([{ type: 'counted', ...asked, at: this.now }]);
    return found;
  }

  lookBack(question: LookBackQuestion): CustomerEvent | null {
    const found = this.context.facts.lookBacks?.get(questionKey(question));
    if (found === undefined) throw new MissingFacts([{ type: 'look_back', question }]);
    if (found === 'too_long') throw new HistoryTooLong(question.matches.map((match) => match.event_type).join(', '));
    return found && this.#before && !isBefore(found, this.#before) ? null : found;
  }

  /** Decides something by what was recorded before an event, whatever has been recorded since. */
  asBefore(event: CustomerEvent, decide: () => void): void {
    this.#before = event;
    try {
      decide();
    } finally {
      this.#before = undefined;
    }
  }

  /** Events that were emitted a moment ago count, though they are not stored yet. */
  #count(question: HistoryQuestion): HistoryCount | undefined {
    const stored = this.context.facts.counts?.get(questionKey(question));
    if (stored === undefined || stored === 'too_long') return stored;
    // What has worked it out may be asked again.
    const total = new Total(question, typeof stored === 'number' ? stored : stored.copy());
    for (const effect of this.effects) {
      if (effect.type !== 'emit_event') continue;
      const { eventType, properties, depth, key: id } = effect;
      const times = { occurredAt: this.now, receivedAt: this.now };
      total.add({ id, eventType, properties, depth, backfill: false, ...times });
    }
    return total.answer;
  }
}
