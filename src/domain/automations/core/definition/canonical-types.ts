import { canonicalName, isAscii } from '../../../canonical/text.ts';
import { namersOfTypes } from '../../../conditions/asked.ts';
import { leavesOf } from '../../../conditions/tree.ts';
import { conditionsOf, matchesOf } from './conditions-of.ts';
import type { Definition } from './definition.ts';

/** Returns a definition in which the types of events are canonical, as those of events are: the same if they are. */
export function withCanonicalTypes(definition: Definition): Definition {
  if (isAscii(JSON.stringify(definition))) return definition;
  const copy = structuredClone(definition);
  for (const place of placesOf(copy)) place.event_type = canonicalName(place.event_type);
  return copy;
}

/** What of a definition names a type of event. */
function placesOf(definition: Definition): { event_type: string }[] {
  const { trigger, steps } = definition;
  return [
    ...(trigger.type === 'event' ? [trigger] : []),
    ...matchesOf(definition).map(({ match }) => match),
    ...steps.filter((step) => step.type === 'emit_event'),
    ...conditionsOf(definition).flatMap(({ condition }) =>
      [...leavesOf(condition)].flatMap(({ leaf }) => namersOfTypes(leaf)),
    ),
  ];
}
