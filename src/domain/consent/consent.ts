import type { ConsentRecord } from '../../db/entities/consent.ts';
import type { ConsentChangeRecord } from '../../db/entities/consent-change.ts';
import type { Led } from '../feed/entries.ts';

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Whether a store may write to a customer through one channel. */
export interface ChannelConsent {
  status: ConsentRecord['status'];
  /** When the customer chose; null if they never did. */
  changedAt: Date | null;
  /** Where they chose, in the integrator's words. */
  source: string | null;
  /** Nothing is sent, whatever the customer chose: the address does not work, or the store decided so. */
  suppressed: { at: Date; reason: string } | null;
  /** What the customer chose for single lists. */
  lists: ListChoice[];
}

/** What a customer chose for one list. */
export interface ListChoice extends Pick<ChosenList, 'id' | 'name' | 'sourceId'> {
  status: 'subscribed' | 'unsubscribed';
  changedAt: Date;
}

export type Consent = Record<Channel, ChannelConsent>;

/** A list as a choice names it. */
export interface ChosenList {
  /** The id of the list; the name, if the store has no list of that name. */
  id: string;
  /** What the choice calls it. */
  name: string;
  /** Its id in another system; undefined if the store has no such list. */
  sourceId: string | null | undefined;
  /** Whether those who subscribe to it are to confirm it by the link of a message. */
  isDoubleOptIn: boolean;
  /** By what else than the `id` the choices of earlier versions may call it. */
  otherNames: readonly string[];
}

/** A customer's choice, or a suppression by the store. */
export interface ConsentChange {
  profileId: string;
  channel: Channel;
  kind: ConsentChangeRecord['kind'];
  changedAt: Date;
  /** Whether it is made as it is recorded. Then a clock that is a little behind must not lose an opt-out. */
  isNow: boolean;
  source: string | null;
  /** A choice for one list. */
  list?: ChosenList | undefined;
  /** Whether a choice for a list leaves that for the channel as it is. */
  isOfListOnly?: boolean | undefined;
  /** Whether it is a choice of the past, which starts nothing now. */
  isHistorical?: boolean | undefined;
  /** Whether a page or an app sent it, with a public key. */
  isFromClient?: boolean | undefined;
  /** Which automations led to it. */
  led?: Led | undefined;
  /** Whether it waits for the customer to confirm it: it is in the history alone. */
  awaitsConfirmation?: boolean | undefined;
  /** Why it is suppressed; only suppressions for this reason are lifted, by default all. Of an opt-in, one of `OPT_IN_REASONS`. */
  reason?: string | undefined;
}

/** What the history says of opt-ins to a list that are to be confirmed. */
export const OPT_IN_REASONS = { asked: 'CONFIRMATION_ASKED', confirmed: 'CONFIRMED' } as const;

/** Whether a change holds rather than another: the later one or, of two at the same time, the one to opt out. */
export function holdsOver(change: Made, other: Made): boolean {
  const ahead = change.changedAt.getTime() - other.changedAt.getTime();
  return ahead > 0 || (ahead === 0 && change.kind !== 'subscribed');
}

type Made = Pick<ConsentChange, 'kind' | 'changedAt'>;

/** Of a suppression for which nobody has given one. */
export const DEFAULT_REASON = 'USER_SUPPRESSED';

/** Milliseconds that the clock of an integrator may be ahead. */
const TOLERANCE_MS = 5 * 60 * 1000;
const EARLIEST = Date.UTC(1990, 0, 1);

/**
 * Returns the time of a choice; undefined if it is before 1990 or in the future. One that is ahead by a few minutes is
 * taken as now: a choice made before it is recorded must not win over the next one.
 */
export function choiceTime(time: Date, now = Date.now()): Date | undefined {
  const ms = time.getTime();
  return ms < EARLIEST || ms > now + TOLERANCE_MS ? undefined : new Date(Math.min(ms, now));
}
