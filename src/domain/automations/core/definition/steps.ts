import type { Channel, Condition } from '../../../conditions/condition.ts';
import type { Weekday } from '../../../time/local.ts';
import type { EventMatch } from './event-match.ts';

/** The id of the step that follows; null ends the run. */
export type Next = string | null;

/** A value that is taken from elsewhere when the step runs, such as `event.properties.cart_id`. */
export interface Reference {
  from: string | readonly string[];
}

/**
 * JSON in which an object with the member `from` alone is a reference, and one with `literal` alone stands for that.
 */
export type Template = unknown;

interface Base<Type extends string> {
  id: string;
  type: Type;
}

/** A moment beside a date of the event or of the profile, by the customer's time zone. */
export interface UntilDate {
  date: Reference;
  /** Before (`-P3D`) or after the date. Its days are of the calendar. */
  offset?: string;
  /** By default the date's own, midnight where it has none. */
  at?: string;
  /** What happens if that moment is past: the run goes on at `on_past`, goes on at once, or ends. */
  if_past: 'skip' | 'continue_now' | 'exit';
  on_past?: Next;
}

/** Waits for a duration, until it is a time of day in the customer's time zone, or until a date. */
export interface DelayStep extends Base<'delay'> {
  for?: string;
  until?: { at: string; weekdays?: readonly Weekday[] };
  until_date?: UntilDate;
  next: Next;
}

/** Waits for the first of several events, or for the profile to be in some condition, or an item of the catalog. */
export interface WaitStep extends Base<'wait'> {
  for: readonly WaitCase[];
  /** Whether an event counts that has happened before the step was reached; by default since the trigger. */
  since?: 'trigger' | 'step';
  timeout: string;
  on_timeout: Next;
}
export type WaitCase = (EventMatch & { next: Next }) | { when: Condition; next: Next } | WaitForItem;

/** Until an item of the catalog can be bought again, or costs less than that. */
export interface WaitForItem {
  catalog: 'back_in_stock' | 'price_drop';
  /** Its id; by default it is the item that has started the run. */
  item?: Reference;
  /** With `price_drop`; the price has to be lower. */
  below?: number;
  currency?: string;
  next: Next;
}

/** The places of what a wait waits for of items. */
export function itemCases({ for: cases }: WaitStep): { index: number; asked: WaitForItem }[] {
  return cases.flatMap((asked, index) => ('catalog' in asked ? [{ index, asked }] : []));
}

export interface BranchStep extends Base<'branch'> {
  cases: readonly { when: Condition; next: Next }[];
  else: Next;
}

export interface SplitStep extends Base<'split'> {
  /** Who draws: each run anew, as by default, or each customer once, whose lot stays. */
  per?: 'run' | 'customer';
  weights: readonly { percent: number; next: Next }[];
}

export interface SetProfileStep extends Base<'set_profile'> {
  set?: Readonly<Record<string, Template>>;
  unset?: readonly string[];
  next: Next;
}

export interface EmitEventStep extends Base<'emit_event'> {
  event_type: string;
  properties?: Readonly<Record<string, Template>>;
  next: Next;
}

export interface SendWebhookStep extends Base<'send_webhook'> {
  endpoint_id: string;
  message_type: string;
  data?: Readonly<Record<string, Template>>;
  include?: readonly ('profile' | 'event' | 'items')[];
  /** Whether it counts as a message of a channel, for the caps of the store; by default it does not. */
  counts_as?: Channel;
  expires_after?: string;
  /** Whether the run goes on only when the delivery is known to have succeeded or failed. */
  await?: boolean;
  on_failure?: 'continue' | 'exit';
  next: Next;
}

export const CALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A request of one's own to the host of an endpoint. Texts have Liquid. */
export interface CallWebhookStep extends Base<'call_webhook'> {
  endpoint_id: string;
  method?: (typeof CALL_METHODS)[number];
  /** With its query; by default that of the endpoint. */
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: CallBody;
  /** Whether it has a signature, as messages have; by default it has. */
  signed?: boolean;
  quiet_hours?: boolean;
  /** As of `send_webhook`. */
  counts_as?: Channel;
  expires_after?: string;
  /** Whether the run goes on only when it is answered, or is known not to be; by default it waits. */
  await?: boolean;
  on_failure?: 'continue' | 'exit';
  next: Next;
}

export type CallBody = { content_type?: string } & (
  | { json: Readonly<Record<string, Template>> }
  | { form: Readonly<Record<string, Template>> }
  | { text: string }
);

/** A step that sends what a template says. */
interface Sending<Type extends string> extends Base<Type> {
  template_id: string;
  /** Without one, that which is current when the automation is published; its versions name it. */
  template_version?: number;
  /** Without one, whichever is the store's default when the step is taken. */
  sender_id?: string;
  /** What the template sees as `data`. */
  data?: Readonly<Record<string, Template>>;
  expires_after?: string;
  /** Whether the run goes on only when it is known what became of the message. */
  await?: 'sent';
  on_failure?: 'continue' | 'exit';
  next: Next;
}

export type SendEmailStep = Sending<'send_email'>;

export interface SendSmsStep extends Sending<'send_sms'> {
  /** Whether it keeps quiet hours, also where the automation has none; by default it does. */
  quiet_hours?: boolean;
}

export type MessageStep = SendEmailStep | SendSmsStep;

/** Gives the customer a code of a coupon pool, which later steps and messages may name. */
export interface AssignCouponStep extends Base<'assign_coupon'> {
  pool_id: string;
  /** What happens while the pool has no code: by default it waits for one, for three days. */
  on_empty?: 'wait' | 'continue' | 'exit';
  next: Next;
}

/** Adds the customer to a list, or removes them from it. */
interface ListChange<Type extends string> extends Base<Type> {
  /** The id of the list, in any case of its letters. */
  list: string;
  next: Next;
}
export type ListStep = ListChange<'add_to_list'> | ListChange<'remove_from_list'>;

/** Records that the customer opts in to a channel, or out of it. */
interface Choice<Type extends string> extends Base<Type> {
  channel: Channel;
  /** The id of the list that the choice is for. */
  list?: string;
  next: Next;
}
export type ConsentStep = Choice<'subscribe'> | Choice<'unsubscribe'>;

/** A step that sends something to the customer. */
export type SendingStep = SendWebhookStep | CallWebhookStep | MessageStep;

export interface ExitStep extends Base<'exit'> {
  reason?: string;
}

/** The types of step. A further one is a line here; the compiler says where it is missing. */
export interface StepTypes {
  delay: DelayStep;
  wait: WaitStep;
  branch: BranchStep;
  split: SplitStep;
  set_profile: SetProfileStep;
  emit_event: EmitEventStep;
  send_webhook: SendWebhookStep;
  call_webhook: CallWebhookStep;
  send_email: SendEmailStep;
  send_sms: SendSmsStep;
  assign_coupon: AssignCouponStep;
  add_to_list: ListChange<'add_to_list'>;
  remove_from_list: ListChange<'remove_from_list'>;
  subscribe: Choice<'subscribe'>;
  unsubscribe: Choice<'unsubscribe'>;
  exit: ExitStep;
}
export type StepType = keyof StepTypes;
export type Step = StepTypes[StepType];

export function isMessageStep(step: Step): step is MessageStep {
  return step.type === 'send_email' || step.type === 'send_sms';
}

/** Which list a step changes, or has the customer choose for. */
export function listOf(step: Step): string | undefined {
  return 'list' in step ? step.list?.toLowerCase() : undefined;
}

/** Whether a step sends something to an endpoint of the store. */
export function sendsToEndpoint(step: Step): step is SendWebhookStep | CallWebhookStep {
  return step.type === 'send_webhook' || step.type === 'call_webhook';
}

/** What a step sends a message through. */
export function channelOf(type: MessageStep['type']): 'email' | 'sms' {
  return type === 'send_sms' ? 'sms' : 'email';
}

/** Where a step may lead to, with the path of each within the step. */
export function exitsOf(step: Step): { path: (string | number)[]; next: Next }[] {
  switch (step.type) {
    case 'wait':
      return [
        ...step.for.map(({ next }, i) => ({ path: ['for', i, 'next'], next })),
        { path: ['on_timeout'], next: step.on_timeout },
      ];
    case 'branch':
      return [
        ...step.cases.map(({ next }, i) => ({ path: ['cases', i, 'next'], next })),
        { path: ['else'], next: step.else },
      ];
    case 'split':
      return step.weights.map(({ next }, i) => ({ path: ['weights', i, 'next'], next }));
    case 'delay':
      return [
        { path: ['next'], next: step.next },
        ...(step.until_date?.if_past === 'skip'
          ? [{ path: ['until_date', 'on_past'], next: step.until_date.on_past ?? null }]
          : []),
      ];
    case 'exit':
      return [];
    default:
      return [{ path: ['next'], next: step.next }];
  }
}
