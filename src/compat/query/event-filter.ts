import type { EventFilter } from '../../domain/reading/events.ts';
import { EARLIEST, LATEST } from '../../domain/time/moment.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { fromMetricId } from '../document/metric.ts';
import { type Condition, parseFilter, timeOf, unknownCondition } from './filter.ts';

/** Whether the time of a condition is the bound itself, or the next one that can be told from it. */
const BOUNDS = new Map<string, [bound: 'from' | 'to', isNext: boolean]>([
  ['greater-than', ['from', true]],
  ['greater-or-equal', ['from', false]],
  ['less-than', ['to', false]],
  ['less-or-equal', ['to', true]],
]);

/** Milliseconds of the unit in which each field shows the time of an event. */
const UNITS = new Map([
  ['datetime', 1],
  ['timestamp', 1000],
]);

/** What `has` may ask for: every event has both, so it finds them all. */
const RELATIONSHIPS = ['profile', 'metric'];

/** Converts the `filter` of a list of events; its profile may be named by a `source_id`. Throws `validation_error` for what it may not have. */
export function toEventFilter(filter: string | undefined): EventFilter {
  const conditions = filter === undefined || filter.trim() === '' ? [] : parseFilter(filter);
  const search: EventFilter = {};
  for (const condition of conditions) {
    const { operator, field, values } = condition;
    if (operator === 'equals' && field === 'metric_id') {
      search.eventType = onlyOne(search.eventType, fromMetricId(values[0] as string), '');
    } else if (operator === 'equals' && field === 'profile_id') {
      search.profileId = onlyOne(search.profileId, values[0] as string, LOWEST_ID);
    } else if (operator !== 'has' || !RELATIONSHIPS.includes(field)) {
      narrow(search, condition);
    }
  }
  return search;
}

/** No event has two metrics or profiles, nor `none`. */
function onlyOne(before: string | undefined, value: string, none: string): string {
  return before === undefined || before === value ? value : none;
}

function narrow(search: EventFilter, condition: Condition): void {
  const unit = UNITS.get(condition.field);
  const bound = BOUNDS.get(condition.operator);
  if (unit === undefined || bound === undefined) throw unknownCondition(condition);
  const [name, isNext] = bound;
  const units = Math.floor(timeOf(condition).getTime() / unit) + (isNext ? 1 : 0);
  const time = new Date(Math.min(Math.max(units * unit, EARLIEST.getTime()), LATEST.getTime()));
  const other = search[name];
  if (!other || (name === 'from' ? time > other : time < other)) search[name] = time;
}
