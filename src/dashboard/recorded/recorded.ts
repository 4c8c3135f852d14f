import { useMemo } from 'react';
import { useOperation } from '../api/operations.ts';
import { useAllows } from '../session/current-caller.tsx';

/** What was recorded, and how often. */
export interface Recorded {
  name: string;
  count: number;
  /** What it was, the most frequent first; of texts and numbers only. */
  values: readonly Recorded[];
}

/** The latest events or customers that names and values are taken from. */
const LOOKED_AT = 100;
const MAX_VALUES = 20;
/** Of one list. */
const MAX_ITEMS = 20;
/** Longer ones are no choices of a few. */
const MAX_VALUE_LENGTH = 60;
/** Milliseconds. */
const STALE_MS = 300_000;
const NOTHING: readonly Recorded[] = [];

/** The types of the store's events of the last year, the most frequent first. */
export function useEventTypes(): readonly Recorded[] {
  const enabled = useAllows('events:read');
  const { data } = useOperation('getEventStats', { interval: 'month' }, { enabled, staleTime: STALE_MS });
  return useMemo(
    () =>
      data?.series.flatMap(({ event_type: name, total }) =>
        name === null ? [] : [{ name, count: total, values: [] }],
      ) ?? NOTHING,
    [data],
  );
}

/** The properties of the latest events of a type, or of the items that a list among them had. */
export function useProperties(eventType: string, itemsOf?: unknown): readonly Recorded[] {
  const isKnown = useEventTypes().some(({ name }) => name === eventType);
  const enabled = useAllows('events:read') && isKnown;
  const args = { event_type: eventType, limit: LOOKED_AT };
  const { data } = useOperation('listEvents', args, { enabled, staleTime: STALE_MS });
  const list = typeof itemsOf === 'string' ? itemsOf : undefined;
  return useMemo(() => {
    if (!data || (itemsOf !== undefined && list === undefined)) return NOTHING;
    const all = data.events.map(({ properties }) => properties);
    return recordedIn(list === undefined ? all : all.flatMap((properties) => itemsIn(properties[list])));
  }, [data, itemsOf, list]);
}

/** The attributes of the customers who came last. */
export function useAttributes(): readonly Recorded[] {
  const enabled = useAllows('profiles:read');
  const { data } = useOperation('listProfiles', { limit: LOOKED_AT }, { enabled, staleTime: STALE_MS });
  return useMemo(() => (data ? recordedIn(data.profiles.map(({ attributes }) => attributes)) : NOTHING), [data]);
}

/** The texts that a property or an attribute had, for a field that takes one. */
export function valuesOf(recorded: readonly Recorded[], name: unknown): readonly Recorded[] {
  return recorded.find((one) => one.name === name)?.values ?? NOTHING;
}

function itemsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS).filter((one) => typeof one === 'object' && one !== null) : [];
}

function recordedIn(objects: readonly Readonly<Record<string, unknown>>[]): Recorded[] {
  const found = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return byCount([...found].map(([name, values]) => ({ name, count: values.length, values: frequent(values) })));
}

function frequent(values: readonly unknown[]): Recorded[] {
  const texts = values.filter((value) => typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH);
  const groups = [...Map.groupBy(texts as string[], (text) => text)];
  return byCount(groups.map(([name, same]) => ({ name, count: same.length, values: [] }))).slice(0, MAX_VALUES);
}

function byCount(recorded: Recorded[]): Recorded[] {
  return recorded.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
