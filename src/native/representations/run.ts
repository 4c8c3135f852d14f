import type { Run as RunBody, RunWithTimeline } from '../../../generated/native/types.gen.ts';
import type { ShownRun } from '../../domain/automations/reading/shown-run.ts';
import type { ShownEntry } from '../../domain/automations/reading/timeline.ts';
import { iso } from '../../domain/time/local.ts';
import { renderTimelineEntry } from './timeline.ts';

export function renderRun(run: ShownRun): RunBody {
  const { trigger, waiting } = run;
  return {
    id: run.id,
    automation_id: run.automationId,
    version: run.version,
    profile_id: run.profileId,
    key: run.key,
    status: run.status,
    step_id: run.stepId,
    trigger: { type: trigger.type, event_id: trigger.eventId, at: iso(trigger.at) },
    // Until when it waits at most, also where it is looked at before.
    due_at: isoOrNull(waiting?.until ?? run.dueAt),
    waiting: waiting && { for: waiting.for as NonNullable<RunBody['waiting']>['for'], since: iso(waiting.since) },
    failed_attempts: run.attempts,
    attempts: run.attempts,
    started_at: iso(run.startedAt),
    ended_at: isoOrNull(run.endedAt),
    reason: run.reason,
  };
}

export function renderRunWithTimeline(run: ShownRun, timeline: readonly ShownEntry[]): RunWithTimeline {
  return { ...renderRun(run), timeline: timeline.map(renderTimelineEntry) };
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
