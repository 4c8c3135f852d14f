import type { Channel } from '../../../conditions/condition.ts';
import type { JsonObject, Profile } from '../../../conditions/subject.ts';
import type { QuietTimes } from '../../../time/quiet-hours.ts';
import type { Occasion } from '../time/dates.ts';
import type { Captured, Enrolment, Run, State } from './run.ts';
import type { SkipDetail, SkipReason } from './skip.ts';
import type { TimelineEntry } from './timeline.ts';

/** What is to be written beside the runs, in the same transaction. `runId` and `seq` make each the only one. */
export type Effect =
  | {
      type: 'set_profile';
      runId: string;
      seq: number;
      depth: number;
      chain: string;
      set: Record<string, unknown>;
      unset: readonly string[];
    }
  | {
      type: 'emit_event';
      runId: string;
      seq: number;
      depth: number;
      chain: string;
      eventType: string;
      properties: JsonObject;
      /** The event's idempotency key, in a scope of automations. */
      key: string;
    }
  | {
      type: 'send_webhook';
      runId: string;
      seq: number;
      stepId: string;
      endpointId: string;
      messageType: string;
      data: JsonObject;
      profile?: Profile;
      event?: NonNullable<Captured['event']> & { properties: JsonObject };
      /** The properties of which the items are looked up. */
      itemsOf?: JsonObject;
      /** Milliseconds. */
      expiresAt: number | null;
    }
  | {
      type: 'call_webhook';
      runId: string;
      seq: number;
      stepId: string;
      endpointId: string;
      method: string;
      /** With its query; null for that of the endpoint. */
      path: string | null;
      /** By their names in lower case. */
      headers: Readonly<Record<string, string>>;
      body: string;
      isSigned: boolean;
      /** Milliseconds. */
      expiresAt: number | null;
    }
  | MessageEffect
  | StandingEffect
  /** A customer who could have entered did not. */
  | { type: 'skip'; triggerId: string; reason: SkipReason; detail: SkipDetail }
  /** When the customer's date is due next; null if never. */
  | { type: 'schedule_date'; occasion: Occasion | null };

/** A change of the lists that a customer is in, or of what they have consented to. */
export type StandingEffect = {
  runId: string;
  seq: number;
  depth: number;
  chain: string;
} & (
  | { type: 'add_to_list' | 'remove_from_list'; listId: string }
  /** `listId`: null for a choice that is for no list. */
  | { type: 'subscribe' | 'unsubscribe'; channel: Channel; listId: string | null }
);

const OF_STANDING: ReadonlySet<Effect['type']> = new Set<StandingEffect['type']>([
  'add_to_list',
  'remove_from_list',
  'subscribe',
  'unsubscribe',
]);

export const isOfStanding = (effect: Effect): effect is StandingEffect => OF_STANDING.has(effect.type);

/** A message that is to be sent. */
export type MessageEffect = Sending<'send_email'> | Sending<'send_sms'>;

export const isMessage = (effect: Effect): effect is MessageEffect =>
  effect.type === 'send_email' || effect.type === 'send_sms';

interface Sending<Type extends string> {
  type: Type;
  runId: string;
  seq: number;
  stepId: string;
  templateId: string;
  /** Null in the simulation of a draft: the current one. */
  templateVersion: number | null;
  /** Null for the store's default. */
  senderId: string | null;
  context: MessageContext;
  /** Milliseconds. */
  expiresAt: number | null;
}

/** What a message says besides what is known of the customer. */
export interface MessageContext {
  data: JsonObject;
  /** Which it keeps also if its sender is late; absent for none. */
  quiet?: QuietTimes;
  /** As templates see it; absent if the run has none. */
  coupon?: JsonObject;
  /** As templates see it; null if there are no properties that started the run. */
  event: {
    id: string | null;
    event_type: string | null;
    properties: JsonObject;
    /** RFC 3339. */
    occurred_at: string | null;
  } | null;
}

/** The core's answer to an input. */
export interface Reaction {
  state: State;
  /** The runs that are new or changed, those that ended included. */
  runs: readonly Run[];
  /** The enrolments that are new or changed, of those in the state. */
  enrolments: readonly Enrolment[];
  timeline: readonly TimelineEntry[];
  effects: readonly Effect[];
}
