import { lookUp } from '../../../conditions/lookup.ts';
import { iso } from '../../../time/local.ts';
import { resultsData } from './results.ts';
import type { Run } from './run.ts';
import { couponData } from './templates.ts';
import type { Work } from './work.ts';

/** What a path leads to of the event, of the profile, which is looked up where it is needed, or of what the run has got since. */
export function lookUpReference(work: Work, run: Run, path: readonly string[]): unknown {
  return lookUp(sourceOf(work, run, path[0]), path.slice(1));
}

function sourceOf(work: Work, { captured: { event, properties }, coupon, results }: Run, source: string | undefined) {
  switch (source) {
    case 'profile':
      return { attributes: work.profile().attributes };
    case 'coupon':
      return coupon && couponData(coupon);
    case 'steps':
      return resultsData(results);
    default:
      return { properties, occurred_at: event && iso(event.occurredAt) };
  }
}
