import { durationMs } from '../../../../time/duration.ts';
import type { SendWebhookStep } from '../../definition/steps.ts';
import type { Effect } from '../effects.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { Filling } from '../templates.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';
import { skipByCaps } from './count.ts';
import { keepQuiet } from './quiet-hours.ts';

export function sendWebhook(work: Work, run: Run, step: SendWebhookStep): Run {
  const ended = exitBeforeAction(work, run) ?? keepQuiet(work, run, step);
  if (ended) return ended;
  const { endpoint_id: endpointId, message_type: messageType, include = [], expires_after } = step;
  const profile = work.profile();
  const { event, properties } = run.captured;
  const effect: Effect = {
    type: 'send_webhook',
    runId: run.id,
    seq: run.seq + 1,
    stepId: step.id,
    endpointId,
    messageType,
    data: new Filling(work, run).values(step.data ?? {}),
    ...(include.includes('profile') ? { profile } : {}),
    ...(include.includes('event') && event ? { event: { ...event, properties } } : {}),
    ...(include.includes('items') ? { itemsOf: properties } : {}),
    expiresAt: expires_after === undefined ? null : work.now + durationMs(expires_after),
  };
  const skipped = skipByCaps(work, run, step);
  if (skipped) return skipped;
  work.effect(effect);
  const decision = { outcome: 'delivery_queued', endpointId, messageType } as const;
  if (!step.await) return goTo(work, run, step.next, decision);
  const waiting = { for: 'delivery', since: work.now, seq: run.seq + 1 } as const;
  return work.record(run, decision, { dueAt: null, attempts: 0, waiting });
}

/** What a run is told of its delivery moves it on if it waits for that. Also while the automation is paused. */
export function goOnAfterDelivery(work: Work, run: Run, step: SendWebhookStep, result: DeliveryResult): Run {
  if (result === 'delivered') return goTo(work, run, step.next, { outcome: 'delivered' });
  const isEnd = step.on_failure === 'exit';
  const next = isEnd ? null : step.next;
  if (!isEnd) return goTo(work, run, next, { outcome: 'delivery_failed', result, next });
  return work.end(work.record(run, { outcome: 'delivery_failed', result, next }, {}), 'delivery_failed');
}

type DeliveryResult = 'delivered' | 'failed' | 'expired';
