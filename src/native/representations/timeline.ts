import type {
  ConditionFinding,
  TimelineEntry as EntryBody,
  TimelineDetail,
} from '../../../generated/native/types.gen.ts';
import type { Decision, MatchedEvent } from '../../domain/automations/core/machine/timeline.ts';
import type { ShownEntry } from '../../domain/automations/reading/timeline.ts';
import type { Finding } from '../../domain/conditions/evaluate.ts';
import { iso } from '../../domain/time/local.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { renderFinding } from './finding.ts';

export function renderTimelineEntry(entry: ShownEntry): EntryBody {
  const { seq, at, stepId, outcome, deliveryId, messageId } = entry;
  const detail = {
    ...detailOf(entry),
    ...(deliveryId !== undefined && { delivery_id: deliveryId }),
    ...(messageId !== undefined && { message_id: messageId }),
  };
  return { seq, at: iso(at), step_id: stepId, outcome: outcome as EntryBody['outcome'], detail };
}

function detailOf(decision: Decision): TimelineDetail {
  switch (decision.outcome) {
    case 'started': {
      const { key, version, omitted } = decision;
      return { key, version, ...(omitted && { omitted: omitted.map((path) => path.join('.')) }) };
    }
    case 'delayed':
      return { until: iso(decision.until), ...zoneOf(decision) };
    case 'date_missed':
      return { due: decision.due === null ? null : iso(decision.due), next: decision.next };
    case 'waiting':
    case 'postponed':
      return { until: iso(decision.until) };
    case 'matched': {
      const { event, condition, next } = decision;
      if (event) return { event: renderMatched(event), next };
      return { ...(condition && { index: condition.index, condition: leafOf(condition.leaf) }), next };
    }
    case 'timed_out':
      return { next: decision.next };
    case 'branched':
      return { case: decision.case, condition: leafOf(decision.leaf), next: decision.next };
    case 'split':
      return { index: decision.index, drawn: decision.drawn, next: decision.next };
    case 'profile_set':
      return { set: decision.set, unset: [...decision.unset] };
    case 'event_emitted':
      return { event_type: decision.eventType, properties: decision.properties };
    case 'delivery_queued':
      return { endpoint_id: decision.endpointId, message_type: decision.messageType };
    case 'delivered':
      return decision.status === undefined ? {} : { status: decision.status };
    case 'delivery_failed': {
      const { result, status, next } = decision;
      return { result, ...(status !== undefined && { status }), next };
    }
    case 'message_queued': {
      const { templateId: template_id, templateVersion, senderId } = decision;
      return {
        template_id,
        ...(templateVersion !== null && { template_version: templateVersion }),
        ...(senderId !== null && { sender_id: senderId }),
      };
    }
    case 'message_skipped':
    case 'message_failed': {
      const { code, next } = decision;
      const result = decision.outcome === 'message_failed' ? { result: decision.result } : {};
      return { ...result, ...(code !== null && { code }), next };
    }
    case 'message_unknown':
      return { next: decision.next };
    case 'coupon_assigned':
      return { pool_id: decision.poolId };
    case 'coupon_awaited':
      return { pool_id: decision.poolId, until: iso(decision.until) };
    case 'coupon_missing':
      return { pool_id: decision.poolId, result: decision.result, next: decision.next };
    case 'list_changed':
      return { list: decision.listId, member: decision.isMember };
    case 'consent_changed':
      return {
        channel: decision.channel,
        choice: decision.status,
        ...(decision.listId !== null && { list: decision.listId }),
      };
    case 'quiet_hours':
      return { until: iso(decision.until), skipped: decision.skipped, ...zoneOf(decision) };
    case 'moved':
      return { from_version: decision.from, to_version: decision.to };
    case 'attempt_failed':
      return { code: decision.code, attempt: decision.attempt, retry_at: iso(decision.retryAt) };
    case 'failed':
      return { code: decision.code, attempt: decision.attempt };
    case 'ended':
      return endOf(decision);
    default:
      return {};
  }
}

function endOf({ reason, text, event, leaf, by }: Extract<Decision, { outcome: 'ended' }>): TimelineDetail {
  return {
    reason: reason as NonNullable<TimelineDetail['reason']>,
    ...(text === undefined ? {} : { text }),
    ...(event && { event: renderMatched(event) }),
    ...(leaf === undefined ? {} : { condition: leafOf(leaf) }),
    ...(by === undefined ? {} : { by }),
  };
}

function zoneOf({ timeZone, unknownTimeZone: unknown }: { timeZone?: string; unknownTimeZone?: unknown }) {
  return {
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(unknown === undefined
      ? {}
      : { unknown_time_zone: typeof unknown === 'string' ? unknown : JSON.stringify(unknown) }),
  };
}

/** An event that is only assumed has an id of another kind. */
function renderMatched({ index, eventId, occurredAt }: MatchedEvent): NonNullable<TimelineDetail['event']> {
  return { index, event_id: isId(eventId) ? eventId : null, occurred_at: iso(occurredAt) };
}

function leafOf(leaf: Finding | null): ConditionFinding | null {
  return leaf && renderFinding(leaf);
}
