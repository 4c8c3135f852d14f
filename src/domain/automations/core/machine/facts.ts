import type { Audience } from '../../../conditions/audience.ts';
import { audienceKey, type Consents, type Memberships } from '../../../conditions/standing.ts';
import type {
  CustomerEvent,
  HistoryCount,
  HistoryQuestion,
  ItemFacts,
  ItemRef,
  Profile,
} from '../../../conditions/subject.ts';
import type { LookBackQuestion, Need } from './need.ts';
import type { Run, RunCoupon } from './run.ts';

/** Why there is no code for a run: its pool has none, gives out none any more, or is gone. */
export type NoCoupon = 'empty' | 'expired' | 'no_pool';

/** What has been looked up, by what was asked. */
export interface Facts {
  profile?: Profile;
  memberships?: Memberships;
  consents?: Consents;
  counts?: ReadonlyMap<string, HistoryCount>;
  /** Null if no event fits. */
  lookBacks?: ReadonlyMap<string, CustomerEvent | 'too_long' | null>;
  /** Null if there is none, or it has ended. */
  runs?: ReadonlyMap<string, Run | null>;
  /** By `itemKey`. */
  items?: ReadonlyMap<string, ItemFacts>;
  /** By `couponKey`. */
  coupons?: ReadonlyMap<string, RunCoupon | NoCoupon>;
  /** By `countedKey`: why a webhook is not sent; null if it is. */
  counted?: ReadonlyMap<string, string | null>;
  /** How many events the run may emit, as others have followed already from what it began with; by default any. */
  eventsLeft?: number;
  /** When it may emit events, as the store has emitted many; by default now. In milliseconds. */
  emitAt?: number;
}

/** Under what an answer is found: the same question has the same text. */
export function questionKey(question: HistoryQuestion | LookBackQuestion): string {
  return JSON.stringify(question);
}

/** Under what the code of a run is found. */
export function couponKey({ poolId, runId }: { poolId: string; runId: string }): string {
  return `${runId} ${poolId}`;
}

/** Under what it is found whether a webhook that counts as a message may be sent. */
export function countedKey({ runId, seq }: { runId: string; seq: number }): string {
  return `${runId} ${seq}`;
}

/** Under what an item is found. */
export function itemKey({ itemId, variantId }: ItemRef): string {
  return JSON.stringify([itemId, variantId]);
}

/** Answers needs from all that there is of a customer, events in any order: in a simulation, or in a test. */
export interface Answers {
  profile(): Profile;
  memberSince(audience: Audience): number | null;
  consents(): Consents;
  count(question: HistoryQuestion): HistoryCount;
  lookBack(question: LookBackQuestion): CustomerEvent | 'too_long' | null;
  run(id: string): Run | null;
  coupon(poolId: string): RunCoupon | NoCoupon;
  item(ref: ItemRef): ItemFacts;
  counted(need: Extract<Need, { type: 'counted' }>): string | null;
}

/** Adds the answers to what is asked. */
export function answer(facts: Facts, needs: readonly Need[], answers: Answers): Facts {
  const [counts, lookBacks, runs] = [new Map(facts.counts), new Map(facts.lookBacks), new Map(facts.runs)];
  const [memberships, coupons] = [new Map(facts.memberships), new Map(facts.coupons)];
  const [items, counted] = [new Map(facts.items), new Map(facts.counted)];
  let { profile, consents } = facts;
  for (const need of needs) {
    if (need.type === 'profile') profile = answers.profile();
    else if (need.type === 'membership')
      memberships.set(audienceKey(need.audience), answers.memberSince(need.audience));
    else if (need.type === 'consents') consents = answers.consents();
    else if (need.type === 'count') counts.set(questionKey(need.question), answers.count(need.question));
    else if (need.type === 'look_back') lookBacks.set(questionKey(need.question), answers.lookBack(need.question));
    else if (need.type === 'item') items.set(itemKey(need), answers.item(need));
    else if (need.type === 'coupon') coupons.set(couponKey(need), answers.coupon(need.poolId));
    else if (need.type === 'counted') counted.set(countedKey(need), answers.counted(need));
    else runs.set(need.id, answers.run(need.id));
  }
  const known = {
    ...(profile && { profile }),
    ...(consents && { consents }),
    memberships,
    counts,
    lookBacks,
    runs,
    coupons,
    items,
    counted,
  };
  return { ...facts, ...known };
}
