import { MissingFacts } from '../../../conditions/facts-needed.ts';
import { isMessageStep } from '../definition/steps.ts';
import { advance, catchUp, fail, retry } from './advance.ts';
import type { Automation } from './automation.ts';
import { replanDate } from './date-plan.ts';
import { type Draw, drawByHash } from './draw.ts';
import type { Reaction } from './effects.ts';
import { type EntryDecision, enter, entryOf } from './entry.ts';
import type { Facts } from './facts.ts';
import type { Input, Occurrence, RunInput } from './input.ts';
import type { Need } from './need.ts';
import { currentStep } from './position.ts';
import type { Run, State } from './run.ts';
import { goOnAfterCall } from './steps/call-webhook.ts';
import { goOnAfterMessage } from './steps/send-message.ts';
import { goOnAfterDelivery } from './steps/send-webhook.ts';
import { bringUpToDate } from './versions.ts';
import { wakeByChange, wakeByEvent } from './wake.ts';
import { Work } from './work.ts';

export interface Surroundings {
  /** Milliseconds. */
  now: number;
  automation: Automation;
  /** What has been looked up, so far. */
  facts?: Facts;
  /** By default a hash: see `drawByHash`. */
  draw?: Draw;
}

export interface Needs {
  needs: readonly Need[];
}

/**
 * What an input means for one customer in one automation: the state after it, and all that has to be written with it.
 * Or what has to be looked up first: then it is called again with the same arguments and more facts, until it asks no
 * more.
 */
export function react(state: State, input: Input, surroundings: Surroundings): Reaction | Needs {
  return withNeeds(state, surroundings, (work) => {
    applyInput(work, input);
    return work.reaction();
  });
}

/** Why an occurrence starts a run or does not; undefined if the trigger is not about such an occurrence. */
export function explainEntry(
  state: State,
  occurrence: Occurrence,
  surroundings: Surroundings,
): EntryDecision | Needs | undefined {
  const { automation } = surroundings;
  const version = automation.version === null ? undefined : automation.versions.get(automation.version);
  if (!version) return { entered: false, reason: 'not_live', detail: {} };
  return withNeeds(state, surroundings, (work) => entryOf(work, version.definition, occurrence));
}

function withNeeds<Result>(state: State, surroundings: Surroundings, decide: (work: Work) => Result): Result | Needs {
  try {
    return decide(new Work(state, { facts: {}, draw: drawByHash, ...surroundings }));
  } catch (error) {
    if (error instanceof MissingFacts) return { needs: (error as MissingFacts<Need>).needs };
    throw error;
  }
}

/** Runs under way come first: what starts now is not ended by what started it. */
function applyInput(work: Work, input: Input): void {
  switch (input.type) {
    case 'event':
      if (!input.event.backfill) {
        catchUp(work, input.event);
        wakeByEvent(work, input.event);
      }
      enter(work, input);
      break;
    case 'change':
      wakeByChange(work, input.change);
      replanDate(work, input.change);
      enter(work, input);
      break;
    case 'segment':
    case 'member':
    case 'date':
    case 'catalog':
    case 'schedule':
    case 'enrol':
      enter(work, input);
      break;
    default: {
      const run = work.run(input.runId);
      if (run) give(work, run, input);
    }
  }
}

function give(work: Work, run: Run, input: RunInput): void {
  switch (input.type) {
    case 'due':
      advance(work, run);
      break;
    case 'retry':
      retry(work, run);
      break;
    case 'exit':
      if (run.status !== 'ended') work.end(run, 'requested', input.by === undefined ? {} : { by: input.by });
      break;
    case 'erasure':
      if (run.status !== 'ended') work.end(run, 'profile_erased');
      break;
    case 'merge':
      if (run.status !== 'ended') work.end(run, 'merged');
      break;
    case 'failure':
      if (run.status === 'active' && run.seq === input.seq) fail(work, run, input.code);
      break;
    case 'delivery':
    case 'message':
      if (isAwaited(run, input)) goOnAfter(work, run, input);
  }
}

/** What becomes of something that a run has sent. */
type ResultInput = Extract<RunInput, { type: 'delivery' | 'message' }>;

function isAwaited({ status, waiting }: Run, { type, seq }: ResultInput): boolean {
  return status === 'active' && waiting?.for === type && waiting.seq === seq;
}

function goOnAfter(work: Work, run: Run, input: ResultInput): void {
  const current = bringUpToDate(work, run);
  if (!current) return;
  const step = currentStep(work, current);
  if (input.type === 'delivery' && step.type === 'send_webhook') {
    goOnAfterDelivery(work, current, step, input.result);
  } else if (input.type === 'delivery' && step.type === 'call_webhook') {
    goOnAfterCall(work, current, step, input);
  } else if (input.type === 'message' && isMessageStep(step)) {
    goOnAfterMessage(work, current, step, input);
  }
}
