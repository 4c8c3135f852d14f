import { evaluate, type Finding } from '../../../../conditions/evaluate.ts';
import type { BranchStep, SplitStep } from '../../definition/steps.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';

/** Goes where the first case leads that holds. */
export function branch(work: Work, run: Run, step: BranchStep): Run {
  let last: Finding | null = null;
  for (const [index, { when, next }] of step.cases.entries()) {
    const { holds, leaf } = evaluate(when, work.subject(run.captured.properties, run.trigger));
    if (holds) return goTo(work, run, next, { outcome: 'branched', case: index, leaf, next });
    last = leaf;
  }
  return goTo(work, run, step.else, { outcome: 'branched', case: null, leaf: last, next: step.else });
}

/** Weights that are 0 get nobody. */
export function split(work: Work, run: Run, { id, weights }: SplitStep): Run {
  const drawn = work.context.draw(run.id, id);
  let [index, upTo] = [0, weights[0]?.percent ?? 0];
  while (drawn >= upTo && index < weights.length - 1) {
    index += 1;
    upTo += weights[index]?.percent ?? 0;
  }
  const next = weights[index]?.next ?? null;
  return goTo(work, run, next, { outcome: 'split', index, drawn, next });
}
