import type { EventCreate, EventDocument, EventGroup, GroupedEvent } from '../../../generated/compat/types.gen.ts';
import { parsed } from '../../db/raw-json.ts';
import type { Caller } from '../../domain/caller.ts';
import { canonicalName } from '../../domain/canonical/text.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { exactNumber } from '../../domain/lossless-json.ts';
import type { EventInput } from '../../domain/record-event.ts';
import type { ProfileChange } from '../../domain/write/draft.ts';
import { parseLenientTime } from '../lenient-time.ts';
import { toEventType } from './metric.ts';
import { toProfileChange } from './profile.ts';
import { mapOf, present } from './text.ts';

type EventAttributes = GroupedEvent['attributes'];

/**
 * The parts of an event document that the native event lacks or changes. Stored with the event, in this order: how it
 * begins tells `isBackfill`.
 */
interface Source {
  name: string;
  service: string | null;
  backfill: boolean;
  value: number | null;
  value_currency: string | null;
  /** Properties that `value` and `value_currency` displaced. */
  own: Record<string, unknown>;
}

/** Converts a validated document of a caller. */
export function toEventInput({ data: { attributes } }: EventCreate, caller: Caller): EventInput {
  return eventInput(attributes, toProfileChange(attributes.profile.data, caller), attributes.backfill);
}

/** Converts a validated group of a bulk request. */
export function toEventInputs({ attributes }: EventGroup, caller: Caller): EventInput[] {
  const { profile, events, backfill } = attributes;
  const change = toProfileChange(profile.data, caller);
  return events.data.map(({ attributes }) => eventInput(attributes, change, attributes.backfill ?? backfill));
}

export function eventInput(attributes: EventAttributes, profile: ProfileChange, backfill?: boolean | null): EventInput {
  const { name, service = null } = attributes.metric.data.attributes;
  const value = present(attributes.value) ? (exactNumber(String(attributes.value)) ?? null) : null;
  const currency = present(attributes.value_currency) ? attributes.value_currency : null;
  const mapped = { ...(value === null ? {} : { value }), ...(currency === null ? {} : { currency }) };
  const own = mapOf(attributes.properties);
  const replaced = Object.keys(mapped).filter((key) => Object.hasOwn(own, key));
  const source: Source = {
    name,
    service,
    backfill: backfill ?? false,
    value,
    value_currency: currency,
    own: Object.fromEntries(replaced.map((key) => [key, own[key]])),
  };
  return {
    eventType: toEventType(name),
    profile,
    properties: { ...own, ...mapped },
    source: { ...source },
    idempotencyKey: present(attributes.unique_id) ? String(attributes.unique_id) : null,
    idempotencyScope: canonicalName(name),
    occurredAt: present(attributes.time) ? parseLenientTime(attributes.time) : undefined,
  };
}

export function toEventDocument(event: RecordedEvent): EventDocument {
  // Events that did not come through this surface have other sources, or none.
  const source: Partial<Source> = event.source ? parsed<object>(event.source) : {};
  const { name = event.eventType, service = null, backfill = false, value = null, value_currency = null } = source;
  const { own = {} } = source;
  const mapped = [...(value === null ? [] : ['value']), ...(value_currency === null ? [] : ['currency'])];
  const properties: Record<string, unknown> = { ...parsed(event.properties), ...own };
  for (const key of mapped) if (!Object.hasOwn(own, key)) delete properties[key];
  return {
    data: {
      type: 'event',
      id: event.id,
      attributes: {
        metric: { data: { type: 'metric', attributes: { name, service } } },
        properties,
        time: event.occurredAt.toISOString(),
        value,
        value_currency,
        unique_id: event.idempotencyKey,
        backfill,
      },
      relationships: { profile: { data: { type: 'profile', id: event.profileId } } },
    },
  };
}
