import type { Message as MessageBody, UnsentMessage, WhyNotSent } from '../../../generated/native/types.gen.ts';
import type { Message, WhyNot } from '../../domain/messages/core/message.ts';

export function renderMessage(message: Message): MessageBody {
  return {
    id: message.id,
    profile_id: message.profileId,
    sender_id: message.senderId,
    template_id: message.templateId,
    template_version: message.templateVersion,
    source: message.source,
    source_id: message.sourceId,
    variant: message.variant,
    run_id: message.runId,
    step_id: message.stepId,
    channel: message.channel,
    class: message.class,
    status: message.status,
    reason: message.reason,
    address: message.address,
    response: message.response,
    failed_attempts: message.attempts,
    segment_count: message.segments,
    due_at: message.dueAt?.toISOString() ?? null,
    expires_at: message.expiresAt?.toISOString() ?? null,
    created_at: message.createdAt.toISOString(),
    begun_at: message.begunAt?.toISOString() ?? null,
    finished_at: message.finishedAt?.toISOString() ?? null,
    delivered_at: message.deliveredAt?.toISOString() ?? null,
    bounced_at: message.bouncedAt?.toISOString() ?? null,
    complained_at: message.complainedAt?.toISOString() ?? null,
    opened_at: message.openedAt?.toISOString() ?? null,
    clicked_at: message.clickedAt?.toISOString() ?? null,
    opens: message.opens,
    clicks: message.clicks,
    machine_opens: message.machineOpens,
    machine_clicks: message.machineClicks,
    why_not: message.whyNot && renderWhyNot(message.whyNot),
  };
}

export function renderWhyNot({ cause, explanation, advice }: WhyNot): WhyNotSent {
  return { cause, explanation, advice };
}

/** A message of a run, where it was not sent. */
export function renderUnsent({ id, stepId, status, whyNot }: Message): UnsentMessage[] {
  return whyNot ? [{ message_id: id, step_id: stepId, status, why_not: renderWhyNot(whyNot) }] : [];
}
