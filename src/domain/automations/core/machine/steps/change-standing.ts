import { type ConsentStep, type ListStep, listOf } from '../../definition/steps.ts';
import { chainOf } from '../origin.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';

export function changeList(work: Work, run: Run, step: ListStep): Run {
  const ended = exitBeforeAction(work, run);
  if (ended) return ended;
  const listId = listOf(step) as string;
  work.effect({ type: step.type, ...aboutEffect(run), listId });
  return goTo(work, run, step.next, { outcome: 'list_changed', listId, isMember: step.type === 'add_to_list' });
}

/** Whether a choice holds, or is to be confirmed first, is decided where it is recorded. */
export function changeConsent(work: Work, run: Run, step: ConsentStep): Run {
  const ended = exitBeforeAction(work, run);
  if (ended) return ended;
  const { type, channel } = step;
  const listId = listOf(step) ?? null;
  work.effect({ type, ...aboutEffect(run), channel, listId });
  const status = type === 'subscribe' ? 'subscribed' : 'unsubscribed';
  return goTo(work, run, step.next, { outcome: 'consent_changed', channel, status, listId });
}

function aboutEffect(run: Run) {
  return { runId: run.id, seq: run.seq + 1, depth: run.depth + 1, chain: chainOf(run) };
}
