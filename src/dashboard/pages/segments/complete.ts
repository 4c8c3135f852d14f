import { dateRelationOf } from '../../conditions/dates.ts';
import { type Amount, amountOf, boundsOf, OF_PROPERTY, windowOf } from '../../conditions/did.ts';
import type {
  Condition,
  ConditionWindow,
  DateTest,
  Did,
  EventSequence,
  ListCondition,
  Occurrence,
  OtherValue,
} from '../../definitions.ts';

/** Whether everything is filled in, so that a definition is worth trying; of JSON that is none, the service says it. */
export function isComplete(definition: Condition): boolean {
  try {
    if ('not' in definition) return isComplete(definition.not);
    if ('all' in definition) return definition.all.every(isComplete);
    if ('any' in definition) return definition.any.every(isComplete);
    if ('events' in definition) return isValueComplete(definition.events) && hasComparison(definition);
    if ('occurrence' in definition) return isOccurrenceComplete(definition.occurrence);
    if ('sequence' in definition) return isSequenceComplete(definition.sequence);
    if ('attribute' in definition) return definition.attribute.length > 0 && hasComparison(definition);
    if ('items' in definition) return definition.items.property.length > 0 && isComplete(definition.items.where);
    if ('property' in definition) return definition.property.length > 0 && hasComparison(definition);
    if ('identifier' in definition) return hasValue(definition);
    if ('date' in definition) return isDateComplete(definition.date);
    if ('profile' in definition) return isWindowComplete(definition.profile.window);
    if ('list' in definition) return definition.list !== '' && isJoinedComplete(definition);
    if ('segment' in definition) return definition.segment !== '' && isJoinedComplete(definition);
    return 'did' in definition ? isDidComplete(definition.did) : true;
  } catch {
    return true;
  }
}

function isDateComplete(test: DateTest): boolean {
  return (test.attribute ?? test.property ?? '').length > 0 && !['', '-'].includes(dateRelationOf(test).value);
}

function isDidComplete(did: Did): boolean {
  const amount: Partial<Amount> = amountOf(did) ?? {};
  const window = windowOf(did);
  const bounds = Object.values(boundsOf(did) ?? {});
  const hasNames = did.event_type !== '' && OF_PROPERTY.every((of) => did[of]?.property !== '');
  const hasValues = hasValue(amount) && !bounds.some(Number.isNaN) && (!did.filter || isComplete(did.filter));
  return hasNames && hasValues && (window === undefined || isWindowComplete(window));
}

type Asked = Pick<Did, 'event_type' | 'filter' | 'within' | 'window'>;

function areEventsComplete(asked: Asked): boolean {
  const window = windowOf(asked);
  const hasFilter = !asked.filter || isComplete(asked.filter);
  return asked.event_type !== '' && hasFilter && (window === undefined || isWindowComplete(window));
}

function isOccurrenceComplete({ where, ...asked }: Occurrence): boolean {
  return areEventsComplete(asked) && (!where || isComplete(where));
}

function isSequenceComplete({ followed_by: following, ...first }: EventSequence): boolean {
  const { within, ...second } = following;
  return within !== '' && areEventsComplete(first) && areEventsComplete(second);
}

function isJoinedComplete({ joined, for: length }: Pick<ListCondition, 'joined' | 'for'>): boolean {
  return length !== '' && (!joined || isWindowComplete(joined));
}

/** With a value, or another one. */
function hasComparison({ value, value_of: other }: { value?: unknown; value_of?: OtherValue }): boolean {
  if (!other) return hasValue({ value });
  const { attribute, property, did } = other;
  return did ? isValueComplete(did) : (attribute ?? property ?? '').length > 0;
}

function isValueComplete(did: NonNullable<OtherValue['did']>): boolean {
  return (did.property ?? 'none').length > 0 && areEventsComplete(did);
}

function hasValue({ value }: { value?: unknown }): boolean {
  return Array.isArray(value) ? value.length > 0 : !Number.isNaN(value);
}

function isWindowComplete(window: ConditionWindow): boolean {
  if ('from' in window) return window.from !== '';
  return 'ago' in window ? window.ago.min !== '' && window.ago.max !== '' : window.last !== '';
}
