import { type AttemptResult, isDelivered } from '../deliveries/attempt.ts';

/** `refused`: the answer was another than a 2xx. */
export const ATTEMPT_OUTCOMES = ['delivered', 'refused', 'unanswered'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'expired', 'held'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** What has been done, for the metrics. */
export interface Observed {
  attempts: { outcome: AttemptOutcome; seconds: number }[];
  /** Of the deliveries that nothing more is to be done for. */
  outcomes: DeliveryOutcome[];
}

export type Observe = (observed: Observed) => void;

export function observedAttempt(result: AttemptResult): Observed['attempts'][number] {
  const outcome = isDelivered(result) ? 'delivered' : result.status === null ? 'unanswered' : 'refused';
  return { outcome, seconds: result.ms / 1000 };
}
