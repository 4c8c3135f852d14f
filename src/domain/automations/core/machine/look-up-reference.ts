import { lookUpInLists } from '../../../conditions/lookup.ts';
import { iso } from '../../../time/local.ts';
import type { Run } from './run.ts';
import type { Work } from './work.ts';

/** What a path leads to of the event or of the profile: the latter is looked up where it is needed. */
export function lookUpReference(
  work: Work,
  { captured: { event, properties } }: Run,
  path: readonly string[],
): unknown {
  const source =
    path[0] === 'profile'
      ? { profile: { attributes: work.profile().attributes } }
      : { event: { properties, occurred_at: event && iso(event.occurredAt) } };
  return lookUpInLists(source, path);
}
