import { canonicalName } from '../../canonical/text.ts';
import { leavesOf } from '../../conditions/tree.ts';
import type { Definition, EventCondition } from './definition.ts';
import { type Span, spanAt } from './windows.ts';

/** What the truth of a definition depends on, so that a change is followed only where it may matter. */
export interface Uses {
  eventTypes: ReadonlySet<string>;
  /** Whether it asks for events of any type: when the last one was. */
  anyEvent: boolean;
  /** Whether it asks for what a profile is: its attributes, identifiers or consent; and whether for consent. */
  profile: boolean;
  consent: boolean;
  lists: ReadonlySet<string>;
  segments: ReadonlySet<string>;
  /** Whether its truth may change by the passage of time alone. */
  time: boolean;
}

export function usesOf(definition: Definition): Uses {
  const leaves = [...leavesOf(definition)].map(({ leaf }) => leaf);
  const events = leaves.flatMap((leaf) => ('event' in leaf ? [leaf.event] : []));
  const anyEvent = leaves.some((leaf) => 'profile' in leaf && leaf.profile.time === 'last_event_at');
  return {
    eventTypes: new Set(events.flatMap(eventTypesOf)),
    anyEvent,
    profile: leaves.some((leaf) => 'attribute' in leaf || 'identifier' in leaf || 'consent' in leaf),
    consent: leaves.some((leaf) => 'consent' in leaf),
    lists: new Set(leaves.flatMap((leaf) => ('list' in leaf ? [leaf.list.toLowerCase()] : []))),
    segments: new Set(leaves.flatMap((leaf) => ('segment' in leaf ? [leaf.segment.toLowerCase()] : []))),
    time: events.length > 0 || leaves.some((leaf) => 'profile' in leaf),
  };
}

/** The types of event that a condition asks for: the canonical one, and as it was written, by which older events may have it. */
export function eventTypesOf({ type }: Pick<EventCondition, 'type'>): readonly string[] {
  const canonical = canonicalName(type);
  return canonical === type ? [type] : [canonical, type];
}

/** Events may lie a year in the future of the moment at which they are received, by which they are partitioned. */
export const MAX_AHEAD_MS = 367 * 24 * 60 * 60 * 1000;

/** Whether events matter that were received before `time`, in milliseconds. */
export function usesEventsBefore(definition: Definition, time: number, now: number): boolean {
  const leaves = [...leavesOf(definition)].map(({ leaf }) => leaf);
  if (usesOf(definition).anyEvent) return true;
  const spans = leaves.flatMap((leaf) => ('event' in leaf ? [spanAt(leaf.event.window, now)] : []));
  return spans.some(({ after }) => after === null || after - MAX_AHEAD_MS < time);
}

/** From when on events matter; null for all of them. */
export function eventsAfter(spans: readonly Span[]): number | null {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { after } of spans) {
    if (after === null) return null;
    earliest = Math.min(earliest, after);
  }
  return earliest;
}
