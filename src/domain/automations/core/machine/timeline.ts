import type { Channel } from '../../../conditions/condition.ts';
import type { Finding } from '../../../conditions/evaluate.ts';
import type { Next } from '../definition/steps.ts';

/** Why a run has ended. */
export const END_REASONS = [
  'completed',
  'exit_step',
  'exit_event',
  'goal_reached',
  'exit_condition',
  'restarted',
  'version_replaced',
  'archived',
  'overdue',
  'delivery_failed',
  'message_failed',
  'requested',
  'chain_too_wide',
  'profile_erased',
  'merged',
  'no_coupon',
  'date_past',
  'no_date',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Why an event that a wait or an exit looks for fits it. */
export interface MatchedEvent {
  /** Its place in `for` or `exit_on`. */
  index: number;
  eventId: string;
  occurredAt: number;
}

/** What was decided about a run, and why. Times are milliseconds. */
export type Decision =
  | {
      outcome: 'started';
      trigger: string;
      key: string | null;
      version: number;
      omitted?: readonly (readonly string[])[];
    }
  | { outcome: 'delayed'; until: number; timeZone?: string; unknownTimeZone?: unknown }
  /** `due` is null where there was no date, or none that is waited for. */
  | { outcome: 'date_missed'; due: number | null; next: Next }
  | { outcome: 'waiting'; until: number }
  | { outcome: 'matched'; event?: MatchedEvent; condition?: { index: number; leaf: Finding | null }; next: Next }
  | { outcome: 'timed_out'; next: Next }
  /** `case` is null for `else`; `leaf` is of the case that held, else of the last one. */
  | { outcome: 'branched'; case: number | null; leaf: Finding | null; next: Next }
  /** `drawn` is from 0 to below 100. */
  | { outcome: 'split'; index: number; drawn: number; next: Next }
  | { outcome: 'profile_set'; set: Record<string, unknown>; unset: readonly string[] }
  | { outcome: 'event_emitted'; eventType: string; properties: Record<string, unknown> }
  | { outcome: 'delivery_queued'; endpointId: string; messageType: string }
  /** `status` is that of the answer to a call; null if there was none. */
  | { outcome: 'delivered'; status?: number | null }
  | { outcome: 'delivery_failed'; result: 'failed' | 'expired'; status?: number | null; next: Next }
  | { outcome: 'message_queued'; templateId: string; templateVersion: number | null; senderId: string | null }
  | { outcome: 'message_sent' }
  | { outcome: 'message_skipped'; code: string | null; next: Next }
  | { outcome: 'message_unknown'; next: Next }
  | { outcome: 'message_failed'; result: 'failed' | 'expired' | 'cancelled'; code: string | null; next: Next }
  | { outcome: 'coupon_assigned'; poolId: string }
  | { outcome: 'coupon_awaited'; poolId: string; until: number }
  | { outcome: 'coupon_missing'; poolId: string; result: 'empty' | 'expired'; next: Next }
  | { outcome: 'list_changed'; listId: string; isMember: boolean }
  | { outcome: 'consent_changed'; channel: Channel; status: 'subscribed' | 'unsubscribed'; listId: string | null }
  | { outcome: 'quiet_hours'; until: number; skipped: boolean; timeZone: string; unknownTimeZone?: unknown }
  | { outcome: 'postponed'; until: number }
  | { outcome: 'moved'; from: number; to: number }
  | { outcome: 'attempt_failed'; code: string; attempt: number; retryAt: number }
  | { outcome: 'failed'; code: string; attempt: number }
  | { outcome: 'retried' }
  | { outcome: 'ended'; reason: EndReason; text?: string; event?: MatchedEvent; leaf?: Finding | null; by?: string };

export type Outcome = Decision['outcome'];

/** An entry of a run's timeline. */
export type TimelineEntry = Decision & {
  runId: string;
  seq: number;
  /** Where the run was when it was decided. */
  stepId: string;
  at: number;
};
