import type { CallWebhookStep, SendWebhookStep } from '../../definition/steps.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';

/**
 * Goes on without a webhook that counts as a message to a customer who has had as many as the store sends, and returns the run
 * then. It is asked last, once all that may fail has not: what is let through counts.
 */
export function skipByCaps(work: Work, run: Run, step: SendWebhookStep | CallWebhookStep): Run | undefined {
  if (step.counts_as === undefined) return undefined;
  const code = work.counted({ channel: step.counts_as, runId: run.id, seq: run.seq + 1, stepId: step.id });
  if (code === null) return undefined;
  return goTo(work, run, step.next, { outcome: 'message_skipped', code, next: step.next });
}
