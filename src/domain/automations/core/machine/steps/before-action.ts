import { evaluate } from '../../../../conditions/evaluate.ts';
import { findMatch } from '../matching.ts';
import type { Run } from '../run.ts';
import { endByEvent, exitQuestion } from '../wake.ts';
import type { Work } from '../work.ts';

/**
 * Ends a run that goes on for the first time if an event has come since its trigger that is one of its exits: it may have
 * been stored before the run was there to be told. So it is where the run has moved to a version with other exits, or
 * changes were missed. What comes later the run is told of: whoever has very many events is not read again and again.
 */
export function lookAtExits(work: Work, run: Run): Run {
  if (work.hasSeen(run)) return run;
  const exits = exitQuestion(work, run);
  const event = exits && work.lookBack(exits);
  if (exits && event) return endByEvent(work, run, findMatch(exits, event), event);
  return work.place({ ...run, seenAt: work.now });
}

/**
 * Ends the run if its exits say so, and returns it then. Before every action an event that is stored counts, though
 * whoever reads them in order has not come to it yet: no action follows an exit that somebody could have known of.
 */
export function exitBeforeAction(work: Work, run: Run): Run | undefined {
  const exits = run.seenAt === work.now ? undefined : exitQuestion(work, run);
  const event = exits && work.lookBack({ ...exits, isUnread: true });
  if (exits && event) return endByEvent(work, run, findMatch(exits, event), event);
  const { exit_when } = work.versionOf(run).definition;
  if (!exit_when) return undefined;
  const { holds, leaf } = evaluate(exit_when, work.subject(run.captured.properties, run.trigger, run.results));
  return holds ? work.end(run, 'exit_condition', { leaf }) : undefined;
}
