import { advance, fail, retry } from './advance.ts';
import { replanDate } from './date-plan.ts';
import type { Input, RunInput } from './input.ts';
import { currentStep } from './position.ts';
import type { Run } from './run.ts';
import { enter } from './start.ts';
import { goOnAfterDelivery } from './steps/send-webhook.ts';
import { bringUpToDate } from './versions.ts';
import { wakeByChange, wakeByEvent } from './wake.ts';
import type { Work } from './work.ts';

/** Runs under way come first: what starts now is not ended by what started it. */
export function applyInput(work: Work, input: Input): void {
  switch (input.type) {
    case 'event':
      if (!input.event.backfill) wakeByEvent(work, input.event);
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
    case 'enrol':
      enter(work, input);
      break;
    default: {
      const run = work.run(input.runId);
      if (run) tell(work, run, input);
    }
  }
}

function tell(work: Work, run: Run, input: RunInput): void {
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
    case 'failure':
      if (run.status === 'active' && run.seq === input.seq) fail(work, run, input.code);
      break;
    case 'delivery':
      if (isAwaited(run, input.seq)) tellOfDelivery(work, run, input.result);
  }
}

function isAwaited({ status, waiting }: Run, seq: number): boolean {
  return status === 'active' && waiting?.for === 'delivery' && waiting.seq === seq;
}

function tellOfDelivery(work: Work, run: Run, result: Extract<RunInput, { type: 'delivery' }>['result']): void {
  const current = bringUpToDate(work, run);
  if (!current) return;
  const step = currentStep(work, current);
  if (step.type === 'send_webhook') goOnAfterDelivery(work, current, step, result);
}
