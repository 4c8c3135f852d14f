import { lookUp } from '../../../conditions/lookup.ts';
import type { JsonObject } from '../../../conditions/subject.ts';
import type { Definition } from '../definition/definition.ts';
import { watchedAttributes } from '../definition/uses.ts';
import { nextOccasion, type Occasion } from '../time/dates.ts';
import { customerZone } from './customer-zone.ts';
import type { ProfileChange } from './input.ts';
import type { Work } from './work.ts';

/** When a customer's date is due next; null if never, or if no date triggers the automation. */
export function nextDate(definition: Definition, attributes: JsonObject, after: number): Occasion | null {
  const { trigger } = definition;
  if (trigger.type !== 'date') return null;
  const { name } = customerZone(definition, attributes);
  return nextOccasion(trigger, lookUp(attributes, trigger.attribute), name, after) ?? null;
}

export function planDate(work: Work, definition: Definition, after: number): void {
  work.effect({ type: 'schedule_date', occasion: nextDate(definition, work.profile().attributes, after) });
}

/** Plans a customer's date anew when it changes, or their time zone does. */
export function replanDate(work: Work, { changes }: ProfileChange): void {
  const { version, versions } = work.context.automation;
  const definition = version === null ? undefined : versions.get(version)?.definition;
  if (definition?.trigger.type !== 'date') return;
  // Waits may watch others; then the date is the same as before.
  if ([...watchedAttributes(definition)].some((name) => Object.hasOwn(changes, name)))
    planDate(work, definition, work.now);
}
