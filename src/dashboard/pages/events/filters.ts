import type { Arguments, Event } from '../../../client/index.ts';
import { useFilters } from '../../use-filters.ts';

const NAMES = ['event_type', 'profile_id', 'property', 'property_value', 'from', 'to'] as const;

export type EventFilters = { [Name in (typeof NAMES)[number]]?: string };
type Listing = Arguments<'listEvents'>;

export const useEventFilters = () => useFilters(NAMES);

/** What to ask the service for: half of a property is none yet. */
export function argumentsOf({ property, property_value, ...filters }: EventFilters): Listing {
  return property && property_value ? { ...filters, property, property_value } : filters;
}

/** Whether a new event fits, as the service would say. */
export function fits(event: Event, { event_type, profile_id, property, property_value, from, to }: Listing): boolean {
  const at = Date.parse(event.occurred_at);
  return (
    (event_type === undefined || event.event_type === event_type) &&
    (profile_id === undefined || event.profile_id === profile_id) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    (property === undefined || valueText(event.properties[property]) === property_value)
  );
}

function valueText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : undefined;
}
