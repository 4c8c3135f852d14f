import type { EntryCandidate as CandidateBody, SegmentStanding } from '../../../generated/native/types.gen.ts';
import type { EntryCandidate } from '../../domain/automations/reading/candidate.ts';
import type { Standing } from '../../domain/segments/moves-of-profile.ts';
import { iso } from '../../domain/time/local.ts';
import { renderSkipDetail } from './finding.ts';
import { isoOrNull } from './run.ts';

export function renderCandidate({
  type,
  event,
  occurredAt,
  receivedAt,
  cause,
  decision,
}: EntryCandidate): CandidateBody {
  return {
    type,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
    occurred_at: iso(occurredAt),
    received_at: iso(receivedAt),
    cause: cause ?? null,
    decision: decision.made,
    run_id: decision.made === 'entered' ? decision.runId : null,
    reason: decision.made === 'skipped' ? decision.reason : null,
    detail: decision.made === 'skipped' ? renderSkipDetail(decision.detail) : null,
  };
}

export function renderStanding({ segmentId, isMember, since, cause }: Standing): SegmentStanding {
  return { id: segmentId, is_member: isMember, since: isoOrNull(since), cause };
}
