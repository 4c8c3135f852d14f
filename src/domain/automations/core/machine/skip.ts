import type { Finding } from '../../../conditions/evaluate.ts';

/** Why something that could have started a run did not, in the order of the checks. */
export const SKIP_REASONS = [
  'not_live',
  'backfill',
  'from_client',
  'cause',
  'filter',
  'date_moved',
  'not_member',
  'no_members_known',
  'stopped',
  'future',
  'late',
  'paused',
  'no_key',
  'entry_condition',
  'history_too_long',
  'reentry',
  'too_many_runs',
  'chain_too_long',
  'chain_too_wide',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What is not kept of each customer, as it can be found out again from the event and the versions. */
export const RECOMPUTED: ReadonlySet<SkipReason> = new Set(['not_live', 'backfill', 'from_client', 'cause', 'filter']);

export interface SkipDetail {
  leaf?: Finding | null;
  /** The run that is in the way. */
  runId?: string;
  /** When an entry is possible again, in milliseconds. */
  freeAt?: number;
}
