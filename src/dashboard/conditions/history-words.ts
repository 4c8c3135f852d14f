import { durationWords } from '../components/durations.ts';
import type {
  Condition,
  ConditionWindow,
  EventSequence,
  ListCondition,
  Occurrence,
  OtherValue,
} from '../definitions.ts';
import { windowOf } from './did.ts';
import { nameWords } from './name-words.ts';
import { windowWords } from './window-words.ts';
import { VALUE_MEASURES, WHICH } from './words.ts';

/** How what must hold of an event is said, with “where” before it. */
type FilterWords = (filter: Condition) => string;

interface Asked {
  event_type: string;
  filter?: Condition;
  within?: string;
  window?: ConditionWindow;
  from_client?: boolean;
}

const named = (name: Parameters<typeof nameWords>[0]) => `“${nameWords(name)}”`;

/** “whose last “placed_order” event (where …) happened in the last 30 days, and was one where …”. */
export function occurrenceWords(
  { which, where, ...asked }: Occurrence,
  whose: string,
  isNegated: boolean,
  filterWords: FilterWords,
): string {
  const event = `${whose} ${WHICH[which]?.replace('the ', '') ?? which} ${eventWords(asked, filterWords)}`;
  const window = windowOf(asked);
  const when = window ? windowWords(window) : undefined;
  const parts = [...(when ? [`happened ${when}`] : []), ...(where ? [`was one ${filterWords(where)}`] : [])];
  const is = parts.length === 0 ? 'happened' : parts.join(' and ');
  return isNegated ? `it is not so that ${event} ${is}` : `${event} ${is}`;
}

/** “who had a “started_checkout” event in the last 7 days and then no “placed_order” event within 3 days”. */
export function sequenceWords(
  { followed_by: following, ...first }: EventSequence,
  who: string,
  isNegated: boolean,
  filterWords: FilterWords,
): string {
  const { within, happened = true, ...second } = following;
  const window = windowOf(first);
  const when = window ? ` ${windowWords(window)}` : '';
  const both = `had a ${eventWords(first, filterWords)}${when} and then ${happened ? 'a' : 'no'} ${eventWords(second, filterWords)} within ${durationWords(within)}`;
  return isNegated ? `it is not so that ${who} ${both}` : `${who} ${both}`;
}

/** What something is compared with: “the customer’s “limit””, “the average of “total” of “placed_order” events”. */
export function otherWords(
  { attribute, property, did }: OtherValue,
  { whose, ofEvent }: { whose: string; ofEvent: string },
  filterWords: FilterWords,
): string {
  if (attribute !== undefined) return `${whose} ${named(attribute)}`;
  if (property !== undefined) return `${named(property)}${ofEvent}`;
  return did ? `the ${eventsValueWords(did, filterWords, whose)}` : '…';
}

/** “average of “total” of their “placed_order” events in the last 90 days”; `whose` is left out where it was said. */
export function eventsValueWords(
  did: NonNullable<OtherValue['did']>,
  filterWords: FilterWords,
  whose?: string,
): string {
  const window = windowOf(did);
  const measure = VALUE_MEASURES[did.measure]?.replace(/^the /, '') ?? did.measure;
  const what = `${measure} of ${did.property === undefined ? '' : `${named(did.property)} of `}`;
  const events = eventWords(did, filterWords, 'events');
  return `${what}${whose === undefined ? '' : `${whose} `}${events}${window ? ` ${windowWords(window)}` : ''}`;
}

/** Since when somebody is in a list or a segment. */
export function joinedWords({ joined, for: length }: Pick<ListCondition, 'joined' | 'for'>): string {
  if (joined) return ` and joined ${windowWords(joined)}`;
  return length === undefined ? '' : ` for at least ${durationWords(length)}`;
}

function eventWords({ event_type, filter, from_client }: Asked, filterWords: FilterWords, noun = 'event'): string {
  const clients = from_client ? ' (also from pages and apps)' : '';
  return `${named(event_type)} ${noun}${filter ? ` (${filterWords(filter)})` : ''}${clients}`;
}
