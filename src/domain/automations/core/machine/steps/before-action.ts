import { evaluate } from '../../conditions/evaluate.ts';
import { findMatch } from '../matching.ts';
import type { Run } from '../run.ts';
import { exitQuestion, matched } from '../wake.ts';
import type { Work } from '../work.ts';

/**
 * Ends the run if its exits say so, and returns it then. Before every action an event that is stored counts, though
 * whoever reads them in order has not come to it yet: no action follows an exit that somebody could have known of.
 */
export function exitBeforeAction(work: Work, run: Run): Run | undefined {
  const exits = exitQuestion(work, run);
  const event = exits && work.lookBack(exits);
  if (exits && event) return work.end(run, 'exit_event', { event: matched(findMatch(exits, event), event) });
  const { exit_when } = work.versionOf(run).definition;
  if (!exit_when) return undefined;
  const { holds, leaf } = evaluate(exit_when, work.subject(run.captured.properties, run.trigger));
  return holds ? work.end(run, 'exit_condition', { leaf }) : undefined;
}
