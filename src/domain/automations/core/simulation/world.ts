import type { Audience } from '../../../conditions/audience.ts';
import type { ConsentLeaf } from '../../../conditions/condition.ts';
import { countMatching } from '../../../conditions/history.ts';
import { audienceKey, type Consents, consentIn, type Memberships } from '../../../conditions/standing.ts';
import type { CustomerEvent, ItemFacts, ItemRef, Profile } from '../../../conditions/subject.ts';
import type { Effect, StandingEffect } from '../machine/effects.ts';
import { type Answers, itemKey, type NoCoupon } from '../machine/facts.ts';
import type { ProfileChange, RunInput } from '../machine/input.ts';
import { lookBack } from '../machine/matching.ts';
import type { RunCoupon } from '../machine/run.ts';
import { patch } from '../machine/steps/actions.ts';

/** What comes from outside, or from what a run has done. */
export type Happening =
  | { type: 'event'; event: CustomerEvent }
  | { type: 'change'; change: ProfileChange }
  | Extract<RunInput, { type: 'delivery' | 'message' }>;

/** How a call is answered. */
export interface AssumedAnswer {
  status: number;
  json?: unknown;
}

/** What becomes of something that is sent; by default it arrives. */
export interface Fate {
  result?: 'failed' | 'expired' | undefined;
  /** How a call is answered; by default with 200, and no JSON. */
  answer?: AssumedAnswer;
  /** Why nothing is sent to the customer. */
  skipped?: string | undefined;
}

/** What is stored of a customer beside profile and history. */
export interface KnownStanding {
  memberships: Memberships;
  consents: Consents;
  /** What each pool would give the customer now; by default none is there. */
  coupons?: ReadonlyMap<string, RunCoupon | NoCoupon>;
  /** The lists to which customers subscribe only once they have confirmed it; by default none. */
  confirmedLists?: ReadonlySet<string>;
  /** By `itemKey`: the item that the run is about, and those that it may wait for. */
  items?: ReadonlyMap<string, ItemFacts>;
}

export const NO_STANDING: KnownStanding = { memberships: new Map(), consents: {} };

/** A customer as they are at a moment of a simulation: what is stored of them by then. */
export class World implements Answers {
  #profile: Profile;
  #consents: Consents;
  readonly #memberships: Map<string, number | null>;
  readonly #coupons: NonNullable<KnownStanding['coupons']>;
  readonly #confirmedLists: ReadonlySet<string>;
  readonly #items: ReadonlyMap<string, ItemFacts>;
  readonly #counted: Answers['counted'];
  readonly #events: CustomerEvent[];

  constructor(
    profile: Profile,
    events: readonly CustomerEvent[],
    {
      memberships,
      consents,
      coupons = new Map(),
      confirmedLists = new Set(),
      items = new Map(),
    }: KnownStanding = NO_STANDING,
    counted: Answers['counted'] = () => null,
  ) {
    this.#counted = counted;
    this.#profile = profile;
    this.#consents = consents;
    this.#memberships = new Map(memberships);
    this.#coupons = coupons;
    this.#confirmedLists = confirmedLists;
    this.#items = items;
    this.#events = [...events];
  }

  get events(): readonly CustomerEvent[] {
    return this.#events;
  }

  profile(): Profile {
    return this.#profile;
  }

  memberSince(audience: Audience): number | null {
    return this.#memberships.get(audienceKey(audience)) ?? null;
  }

  item(ref: ItemRef): ItemFacts {
    return this.#items.get(itemKey(ref)) ?? { stock: null, available: false, prices: {} };
  }

  consents(): Consents {
    return this.#consents;
  }

  count(question: Parameters<Answers['count']>[0]): ReturnType<Answers['count']> {
    return countMatching(question, this.#ofTypes([question.eventType]));
  }

  lookBack(question: Parameters<Answers['lookBack']>[0]): ReturnType<Answers['lookBack']> {
    return lookBack(question, this.#ofTypes(question.matches.map(({ event_type }) => event_type)));
  }

  /** All runs that are active are in the state. */
  run(): null {
    return null;
  }

  coupon(poolId: string): RunCoupon | NoCoupon {
    return this.#coupons.get(poolId) ?? 'no_pool';
  }

  counted(need: Parameters<Answers['counted']>[0]): string | null {
    return this.#counted(need);
  }

  record(event: CustomerEvent): void {
    this.#events.push(event);
  }

  /** Changes attributes; null removes one. Undefined if they are so already. */
  change(
    set: Readonly<Record<string, unknown>>,
    unset: readonly string[],
    about: Omit<ProfileChange, 'changes'>,
  ): ProfileChange | undefined {
    const before = this.#profile.attributes;
    const after = patch(before, set, unset);
    this.#profile = { ...this.#profile, attributes: after };
    const names = [...Object.keys(set), ...unset].filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    if (names.length === 0) return undefined;
    const changes = names.map((name) => [name, { ...had(before, name, 'from'), ...had(after, name, 'to') }]);
    return { ...about, changes: Object.fromEntries(changes) };
  }

  /** Lets the customer join or leave a list or a segment. Undefined if they have already. */
  move(moved: NonNullable<ProfileChange['moved']>, about: Omit<ProfileChange, 'changes'>): ProfileChange | undefined {
    if ((this.memberSince(moved) !== null) === moved.isMember) return undefined;
    this.#memberships.set(audienceKey(moved), moved.isMember ? about.at : null);
    return { ...about, changes: {}, moved };
  }

  /** Takes it that a change has come about. */
  takeFor({ moved, chose, ...about }: ProfileChange): void {
    if (moved) this.move(moved, about);
    if (chose) this.#choose(chose.channel, chose.isGiven ? 'subscribed' : 'unsubscribed');
  }

  #choose(channel: ConsentLeaf['consent']['channel'], status: 'subscribed' | 'unsubscribed'): void {
    const { suppressed } = consentIn(this.#consents, channel);
    this.#consents = { ...this.#consents, [channel]: { status, suppressed } };
  }

  /** Lets the customer choose; whoever chooses is suppressed no longer. */
  choose({ channel, status }: ConsentLeaf['consent'], about: Omit<ProfileChange, 'changes'>): ProfileChange {
    const before = consentIn(this.#consents, channel);
    const suppressed = status === 'suppressed';
    const consent = { status: suppressed ? before.status : status, suppressed };
    this.#consents = { ...this.#consents, [channel]: consent };
    return { ...about, changes: {} };
  }

  /** Whether the customer has to confirm first that they subscribe. */
  awaitsConfirmation(effect: Effect): boolean {
    if (effect.type !== 'subscribe' || effect.channel !== 'email' || effect.listId === null) return false;
    return this.#confirmedLists.has(effect.listId) && consentIn(this.#consents, 'email').status !== 'subscribed';
  }

  /** Changes lists and consent; of those who are suppressed, this says what they choose for later. */
  #changeStanding(effect: StandingEffect, at: number): ProfileChange[] {
    if (this.awaitsConfirmation(effect)) return [];
    const { runId, seq, depth, listId } = effect;
    const about = { id: `${runId}:${seq}`, at, depth };
    const isMember = effect.type === 'add_to_list' || effect.type === 'subscribe';
    const moved = listId === null ? undefined : this.move({ kind: 'list', id: listId, isMember }, about);
    // Who opts out of a list stays subscribed to the channel.
    if (!('channel' in effect) || (effect.type === 'unsubscribe' && listId !== null)) return moved ? [moved] : [];
    this.#choose(effect.channel, isMember ? 'subscribed' : 'unsubscribed');
    return [...(moved ? [moved] : []), { ...about, changes: {} }];
  }

  /** Does what an effect says, and returns what automations are told of it. */
  carryOut(effect: Effect, at: number, { result, skipped, answer }: Fate = {}): Happening[] {
    switch (effect.type) {
      case 'emit_event': {
        const { key: id, eventType, properties, depth } = effect;
        const event = { id, eventType, properties, depth, occurredAt: at, receivedAt: at, backfill: false };
        this.record(event);
        return [{ type: 'event', event }];
      }
      case 'set_profile': {
        const { set, unset, depth, runId, seq } = effect;
        const change = this.change(set, unset, { id: `${runId}:${seq}`, at, depth });
        return change ? [{ type: 'change', change }] : [];
      }
      case 'add_to_list':
      case 'remove_from_list':
      case 'subscribe':
      case 'unsubscribe':
        return this.#changeStanding(effect, at).map((change) => ({ type: 'change', change }));
      case 'send_webhook':
        return [{ type: 'delivery', runId: effect.runId, seq: effect.seq, result: result ?? 'delivered' }];
      case 'call_webhook':
        return [{ type: 'delivery', runId: effect.runId, seq: effect.seq, ...resultOf(result, answer) }];
      case 'send_email':
      case 'send_sms': {
        const { runId, seq } = effect;
        const outcome = skipped === undefined ? (result ?? 'sent') : 'skipped';
        return [{ type: 'message', runId, seq, result: outcome, reason: skipped ?? null }];
      }
      default:
        return [];
    }
  }

  #ofTypes(types: readonly string[]): CustomerEvent[] {
    return this.#events.filter(({ eventType }) => types.includes(eventType));
  }
}

/** What becomes of a call: a status other than 2xx is a failure, as it is where it is really sent. */
function resultOf(result: Fate['result'], { status, json }: AssumedAnswer = { status: 200 }) {
  if (result) return { result, status: null } as const;
  const isDelivered = status >= 200 && status < 300;
  return { result: isDelivered ? 'delivered' : 'failed', status, answer: json } as const;
}

function had(attributes: Profile['attributes'], name: string, side: 'from' | 'to'): Record<string, unknown> {
  return Object.hasOwn(attributes, name) ? { [side]: attributes[name] } : {};
}
