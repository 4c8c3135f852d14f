import type { FoundEvent, FoundMetric } from '../../../generated/compat/types.gen.ts';
import { RawJson } from '../../db/raw-json.ts';
import type { JsonObject, RecordedEvent } from '../../domain/event.ts';
import { findMembers, membersWithout, type Span, valueAt } from './json-members.ts';
import { toMetricId } from './metric.ts';
import { toMicroseconds } from './profile.ts';

/** Returns an event as the third party shows it to readers; `base` is the surface's address. */
export function toEventResource(event: RecordedEvent, base: string): FoundEvent {
  return {
    type: 'event',
    id: event.id,
    attributes: {
      timestamp: Math.floor(event.occurredAt.getTime() / 1000),
      event_properties: toEventProperties(event) as unknown as Record<string, unknown>,
      datetime: toMicroseconds(event.occurredAt),
      uuid: event.id,
    },
    relationships: {
      profile: { data: { type: 'profile', id: event.profileId } },
      metric: { data: { type: 'metric', id: toMetricId(event.eventType) } },
      attributions: { data: [] },
    },
    links: { self: `${base}/events/${event.id}` },
  };
}

/** Returns the metric of an event. The service does not keep when it first had one. */
export function toMetricResource(event: RecordedEvent, base: string): FoundMetric {
  const name = sentParts(event.source)?.name ?? event.eventType;
  return {
    type: 'metric',
    id: toMetricId(event.eventType),
    attributes: { name, created: null, updated: null, integration: null },
    links: { self: `${base}/events/${event.id}/metric` },
  };
}

/**
 * Returns the properties as they were sent, with the value, its currency and the unique id under the names that the
 * third party gives them. As text: a page has a thousand events, and their numbers keep their digits.
 */
function toEventProperties({ properties, source, idempotencyKey, occurredAt }: RecordedEvent): RawJson {
  const text = textOf(properties);
  const members = findMembers(text, ['value', 'currency', '$value', '$currency_code', '$event_id']);
  const sent = sentParts(source);
  const { value, currency, own = '' } = sent ?? nativeParts(text, members);
  const added: Record<string, string | undefined> = {
    $value: value,
    $currency_code: currency,
    $event_id: idempotencyKey === null ? undefined : JSON.stringify(idempotencyKey),
  };
  if (!added.$event_id && !members.has('$event_id')) {
    added.$event_id = JSON.stringify(String(Math.floor(occurredAt.getTime() / 1000)));
  }
  const given = Object.entries(added).filter(([, one]) => one !== undefined);
  // On this surface `value` and `value_currency` are kept as properties of these names.
  const mapped = sent ? [value && 'value', currency && 'currency'] : [];
  const replaced = [...mapped, ...given.map(([name]) => name)].flatMap((name) => members.get(name ?? '') ?? []);
  const all = [membersWithout(text, replaced), own, ...given.map(([name, one]) => `"${name}":${one}`)];
  return new RawJson(`{${all.filter((one) => one !== '').join(',')}}`);
}

interface SentParts {
  name?: string;
  /** JSON. */
  value?: string | undefined;
  currency?: string | undefined;
  /** The members of the properties that these displaced. */
  own?: string;
}

/** Returns what was kept of an event besides its properties; undefined if it did not come through this surface. */
function sentParts(source: JsonObject | null): SentParts | undefined {
  if (source === null) return undefined;
  const text = textOf(source);
  const { own } = Object.fromEntries(findMembers(text, ['own']));
  const { name, value, value_currency } = JSON.parse(`{${membersWithout(text, own ? [own] : [])}}`);
  if (name === undefined) return undefined;
  return {
    name,
    value: value === null ? undefined : JSON.stringify(value),
    currency: value_currency === null ? undefined : JSON.stringify(value_currency),
    own: own ? membersWithout(valueAt(text, own), []) : '',
  };
}

/** The same of any other event, whose value and currency are properties and stay it. */
function nativeParts(text: string, members: ReadonlyMap<string, Span>): SentParts {
  const of = (name: string, displayed: string, pattern: RegExp) => {
    const span = members.get(name);
    const value = span && !members.has(displayed) ? valueAt(text, span) : '';
    return pattern.test(value) ? value : undefined;
  };
  return { value: of('value', '$value', /^-?\d/), currency: of('currency', '$currency_code', /^"[^"]*"$/) };
}

function textOf(data: JsonObject): string {
  return data instanceof RawJson ? data.text : JSON.stringify(data);
}
