import type { Cause } from '../../segments/engine/origin.ts';
import type { Trigger } from '../core/definition/definition.ts';
import type { SkipDetail, SkipReason } from '../core/machine/skip.ts';

/** Something that could have started a run, and what was decided. Times are milliseconds. */
export interface EntryCandidate {
  type: Trigger['type'];
  event: { id: string; type: string } | null;
  occurredAt: number;
  /** When the event was received; for anything else, when it was decided. */
  receivedAt: number;
  /** Of a segment's change: why the customer entered or left. */
  cause?: Cause | undefined;
  decision: Decided;
}

export type Decided =
  | { made: 'entered'; runId: string }
  | { made: 'skipped'; reason: SkipReason; detail: SkipDetail }
  /** Nobody has come to the event yet. */
  | { made: 'pending' };
