import { durationMs } from '../../../../time/duration.ts';
import { iso } from '../../../../time/local.ts';
import { hasProperties } from '../../definition/definition.ts';
import type { MessageStep } from '../../definition/steps.ts';
import type { MessageContext } from '../effects.ts';
import type { MessageResult } from '../input.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { couponData, Filling } from '../templates.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';
import { keepQuiet, quietOf } from './quiet-hours.ts';

/** Whether the customer may be sent it is decided when it is taken to be sent, not here. */
export function sendMessage(work: Work, run: Run, step: MessageStep): Run {
  const ended = exitBeforeAction(work, run) ?? keepQuiet(work, run, step);
  if (ended) return ended;
  const { template_id: templateId, template_version, sender_id, expires_after } = step;
  const [templateVersion, senderId] = [template_version ?? null, sender_id ?? null];
  const quiet = quietOf(work, run, step);
  work.effect({
    type: step.type,
    runId: run.id,
    seq: run.seq + 1,
    stepId: step.id,
    templateId,
    templateVersion,
    senderId,
    context: {
      data: new Filling(work, run).values(step.data ?? {}),
      event: eventOf(run),
      ...(run.coupon && { coupon: couponData(run.coupon) }),
      ...(quiet && { quiet }),
    },
    expiresAt: expires_after === undefined ? null : work.now + durationMs(expires_after),
  });
  const decision = { outcome: 'message_queued', templateId, templateVersion, senderId } as const;
  if (!step.await) return goTo(work, run, step.next, decision);
  const waiting = { for: 'message', since: work.now, seq: run.seq + 1 } as const;
  return work.record(run, decision, { dueAt: null, attempts: 0, waiting });
}

/** Whoever enrols a customer gives properties, and an item has some; there is no event. */
function eventOf({ trigger, captured: { event, properties } }: Run): MessageContext['event'] {
  if (event) {
    return { id: event.id, event_type: event.eventType, properties, occurred_at: iso(event.occurredAt) };
  }
  return hasProperties(trigger) ? { id: null, event_type: null, properties, occurred_at: null } : null;
}

/**
 * What a run is told of its message moves it on if it waits for that. Also while the automation is paused. That nothing is
 * sent to a customer who does not want it is no failure; nor is what may well have arrived.
 */
export function goOnAfterMessage(
  work: Work,
  run: Run,
  { on_failure, next }: MessageStep,
  { result, reason: code }: { result: MessageResult; reason: string | null },
): Run {
  if (result === 'sent') return goTo(work, run, next, { outcome: 'message_sent' });
  if (result === 'skipped') return goTo(work, run, next, { outcome: 'message_skipped', code, next });
  if (result === 'unknown') return goTo(work, run, next, { outcome: 'message_unknown', next });
  if (on_failure !== 'exit') return goTo(work, run, next, { outcome: 'message_failed', result, code, next });
  return work.end(work.record(run, { outcome: 'message_failed', result, code, next: null }, {}), 'message_failed');
}
