import type { Step, StepType, StepTypes } from '../../definition/steps.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';
import { emitEvent, setProfile } from './actions.ts';
import { branch, split } from './branches.ts';
import { delay } from './delay.ts';
import { sendWebhook } from './send-webhook.ts';
import { wait } from './wait.ts';

/** Takes a step that is due, or goes on with one that has waited until now. Returns the run as it is then. */
type Taker<Type extends StepType> = (work: Work, run: Run, step: StepTypes[Type]) => Run;

const TAKERS: { [Type in StepType]: Taker<Type> } = {
  delay,
  wait,
  branch,
  split,
  set_profile: setProfile,
  emit_event: emitEvent,
  send_webhook: sendWebhook,
  exit: (work, run, { reason }) => work.end(run, 'exit_step', reason === undefined ? {} : { text: reason }),
};

export function takeStep(work: Work, run: Run, step: Step): Run {
  const take = TAKERS[step.type] as (work: Work, run: Run, step: Step) => Run;
  return take(work, run, step);
}
