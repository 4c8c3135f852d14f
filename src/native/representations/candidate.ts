import type { EntryCandidate as CandidateBody, SegmentStanding } from '../../../generated/native/types.gen.ts';
import type { EntryCandidate } from '../../domain/automations/reading/candidate.ts';
import type { Message } from '../../domain/messages/core/message.ts';
import type { Standing } from '../../domain/segments/moves-of-profile.ts';
import { iso } from '../../domain/time/local.ts';
import { renderSkipDetail } from './finding.ts';
import { renderUnsent } from './message.ts';
import { isoOrNull } from './run.ts';

/** `unsent`: the messages of runs that were not sent, by the run; null for those who may not see them. */
export function renderCandidate(
  { type, event, occurredAt, receivedAt, cause, decision }: EntryCandidate,
  unsent: ReadonlyMap<string | null, readonly Message[]> | null,
): CandidateBody {
  const runId = decision.made === 'entered' ? decision.runId : null;
  return {
    type,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
    occurred_at: iso(occurredAt),
    received_at: iso(receivedAt),
    cause: cause ?? null,
    decision: decision.made,
    run_id: runId,
    reason: decision.made === 'skipped' ? decision.reason : null,
    detail: decision.made === 'skipped' ? renderSkipDetail(decision.detail) : null,
    unsent_messages: unsent && ((runId !== null && unsent.get(runId)) || []).flatMap(renderUnsent),
  };
}

export function renderStanding({ segmentId, isMember, since, cause }: Standing): SegmentStanding {
  return { id: segmentId, is_member: isMember, since: isoOrNull(since), cause };
}
