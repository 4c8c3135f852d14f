import type { Condition, EventsAsked, Leaf } from './condition.ts';
import { leavesOf, type Path } from './tree.ts';
import type { Window } from './windows.ts';

/** Events that a leaf asks for, and where in it. */
export interface PlacedEvents<Asked extends EventsAsked = EventsAsked> {
  asked: Asked;
  path: Path;
}

/** All events that a leaf asks for: what it says of them, and of when they must have been. */
export function eventsAskedIn(leaf: Leaf): PlacedEvents[] {
  if ('did' in leaf) return [{ asked: leaf.did, path: ['did'] }];
  if ('occurrence' in leaf) {
    // Which one is the first depends on all that were before.
    const { window: _, within: __, ...ever } = leaf.occurrence;
    return [{ asked: leaf.occurrence.which === 'first' ? ever : leaf.occurrence, path: ['occurrence'] }];
  }
  if ('sequence' in leaf) {
    const { followed_by: followedBy, ...first } = leaf.sequence;
    const { within: _, ...second } = followedBy;
    // Whatever follows is later than what it follows.
    const { within, window } = first;
    return [
      { asked: first, path: ['sequence'] },
      {
        asked: { ...second, ...(within !== undefined && { within }), ...sinceStart(window) },
        path: ['sequence', 'followed_by'],
      },
    ];
  }
  const of = 'value_of' in leaf ? leaf.value_of?.did : undefined;
  return [
    ...('events' in leaf ? [{ asked: leaf.events, path: ['events'] }] : []),
    ...(of ? [{ asked: of, path: ['value_of', 'did'] }] : []),
  ];
}

/** From the beginning of a window on. */
function sinceStart(window: Window | undefined): { window?: Window } {
  if (!window) return {};
  if ('ago' in window) return { window: { last: window.ago.max } };
  return { window: 'last' in window ? window : { from: window.from } };
}

/** The same of all leaves of a condition. */
export function eventsAsked(condition: Condition): EventsAsked[] {
  return [...leavesOf(condition)].flatMap(({ leaf }) => eventsAskedIn(leaf).map(({ asked }) => asked));
}

/** Returns a leaf in which all that asks for events is changed. */
export function withEventsAsked(leaf: Leaf, change: <Asked extends EventsAsked>(asked: Asked) => Asked): Leaf {
  if ('did' in leaf) return { did: change(leaf.did) };
  if ('occurrence' in leaf) return { occurrence: change(leaf.occurrence) };
  if ('sequence' in leaf)
    return { sequence: { ...change(leaf.sequence), followed_by: change(leaf.sequence.followed_by) } };
  const own = 'events' in leaf ? { ...leaf, events: change(leaf.events) } : leaf;
  if (!('value_of' in own) || !own.value_of?.did) return own;
  return { ...own, value_of: { ...own.value_of, did: change(own.value_of.did) } };
}

/** What of a leaf names a type of event. */
export function namersOfTypes(leaf: Leaf): { event_type: string }[] {
  if ('did' in leaf) return [leaf.did];
  if ('occurrence' in leaf) return [leaf.occurrence];
  if ('sequence' in leaf) return [leaf.sequence, leaf.sequence.followed_by];
  const other = 'value_of' in leaf ? leaf.value_of?.did : undefined;
  return [...('events' in leaf ? [leaf.events] : []), ...(other ? [other] : [])];
}
