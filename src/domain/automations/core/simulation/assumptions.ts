import type { ConsentLeaf } from '../../../conditions/condition.ts';
import type { JsonObject } from '../../../conditions/subject.ts';
import type { Violation } from '../../../service-error.ts';
import { durationMs, parseDuration } from '../../../time/duration.ts';
import type { Definition } from '../definition/definition.ts';
import { isMessageStep, sendsToEndpoint } from '../definition/steps.ts';
import { type Draw, drawByHash } from '../machine/draw.ts';

/** What a simulation takes for granted. `after` is a duration since the trigger; without one, it is so from the beginning. */
export type Assumption =
  | { after: string; event: { event_type: string; properties?: JsonObject } }
  | AssumedChange
  /** How what a step sends ends; by default it arrives. */
  | { step: string; delivery: 'failed' | 'expired' }
  /** How the call of a step is answered in the end. */
  | { step: string; answer: { status: number; json?: unknown } }
  /** What the customer does with the message of a step; `after` is since it was sent. */
  | AssumedReaction
  /** Which weight of a split is drawn. */
  | { step: string; weight: number };

export interface AssumedReaction {
  step: string;
  reaction: 'opened' | 'clicked';
  after: string;
}

export type AssumedChange =
  /** Attributes; null removes one. */
  | { after: string; set: JsonObject }
  | { after?: string; list: string; member: boolean }
  | { after?: string; segment: string; member: boolean }
  | { after?: string; consent: ConsentLeaf['consent'] };

/** Returns what is wrong with assumptions about a definition. */
export function checkAssumptions({ steps }: Definition, assumptions: readonly Assumption[]): Violation[] {
  return assumptions.flatMap((one, i): Violation[] => {
    if (!('step' in one)) {
      return one.after === undefined ? [] : checkAfter(one.after, i, 'the trigger');
    }
    const step = steps.find(({ id }) => id === one.step);
    if ('delivery' in one) {
      return step && (sendsToEndpoint(step) || isMessageStep(step))
        ? []
        : [{ path: [i, 'step'], problem: 'is not a step that sends something' }];
    }
    if ('answer' in one) {
      return step?.type === 'call_webhook' ? [] : [{ path: [i, 'step'], problem: 'is not a step call_webhook' }];
    }
    if ('reaction' in one) {
      if (step?.type !== 'send_email') return [{ path: [i, 'step'], problem: 'is not a step that sends an e-mail' }];
      return checkAfter(one.after, i, 'the message');
    }
    if (step?.type !== 'split') return [{ path: [i, 'step'], problem: 'is not a split' }];
    return step.weights[one.weight] ? [] : [{ path: [i, 'weight'], problem: 'is not one of the weights' }];
  });
}

function checkAfter(after: string, i: number, what: string): Violation[] {
  if (parseDuration(after) && durationMs(after) >= 0) return [];
  return [{ path: [i, 'after'], problem: `must be an ISO 8601 duration after ${what}, such as PT2H` }];
}

/** Draws what is assumed, and what a run with this id would draw for all other splits. */
export function assumedDraw({ steps }: Definition, assumptions: readonly Assumption[]): Draw {
  return (runId, stepId) => {
    const assumed = assumptions.find((one) => 'weight' in one && one.step === stepId);
    const step = steps.find(({ id }) => id === stepId);
    if (!assumed || !('weight' in assumed) || step?.type !== 'split') return drawByHash(runId, stepId);
    return step.weights.slice(0, assumed.weight).reduce((sum, { percent }) => sum + percent, 0);
  };
}
