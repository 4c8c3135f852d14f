import { eventsAsked } from '../../conditions/asked.ts';
import { MAX_AHEAD_MS } from '../../conditions/compile-events.ts';
import type { Condition, Leaf } from '../../conditions/condition.ts';
import { movesWithDays } from '../../conditions/dates.ts';
import { spellingsOf } from '../../conditions/event-types.ts';
import { leavesOf } from '../../conditions/tree.ts';
import { earliestOf, spanOf } from '../../conditions/windows.ts';

/** What the truth of a definition depends on, so that a change is followed only where it may matter. */
export interface Uses {
  eventTypes: ReadonlySet<string>;
  /** Whether it asks for events of any type: when the last one was. */
  anyEvent: boolean;
  /** Whether it asks for what a profile is: its attributes, identifiers or consent, or who it is; and whether for consent. */
  profile: boolean;
  consent: boolean;
  lists: ReadonlySet<string>;
  segments: ReadonlySet<string>;
  /** Whether its truth may change by the passage of time alone. */
  time: boolean;
}

/** Kinds of leaves that ask for what a profile is. */
const OF_PROFILE = ['attribute', 'identifier', 'consent', 'date', 'share'] as const;

export function usesOf(definition: Condition): Uses {
  const leaves = [...leavesOf(definition)].map(({ leaf }) => leaf);
  const events = eventsAsked(definition);
  const anyEvent = leaves.some((leaf) => 'profile' in leaf && leaf.profile.time === 'last_event_at');
  return {
    eventTypes: new Set(events.flatMap(({ event_type }) => spellingsOf(event_type))),
    anyEvent,
    profile: leaves.some((leaf) => OF_PROFILE.some((kind) => kind in leaf)),
    consent: leaves.some((leaf) => 'consent' in leaf),
    lists: new Set(leaves.flatMap((leaf) => ('list' in leaf ? [leaf.list.toLowerCase()] : []))),
    segments: new Set(leaves.flatMap((leaf) => ('segment' in leaf ? [leaf.segment.toLowerCase()] : []))),
    time: events.length > 0 || leaves.some(changesWithTime),
  };
}

function changesWithTime(leaf: Leaf): boolean {
  if ('list' in leaf || 'segment' in leaf) return leaf.joined !== undefined || leaf.for !== undefined;
  return 'profile' in leaf || ('date' in leaf && movesWithDays(leaf.date));
}

/** Whether events matter that were received before `time`, in milliseconds. */
export function usesEventsBefore(definition: Condition, time: number, now: number): boolean {
  if (usesOf(definition).anyEvent) return true;
  const earliest = earliestOf(eventsAsked(definition).map((asked) => spanOf(asked, now)));
  return earliest === null || earliest - MAX_AHEAD_MS < time;
}
