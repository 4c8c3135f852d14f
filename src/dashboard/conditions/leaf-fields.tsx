import { TextInput } from '@mantine/core';
import type { ValueName } from '../../client/index.ts';
import { NumberField } from '../components/number-field.tsx';
import type { Comparison, EventsCondition, ItemCondition, Leaf, Occurrence } from '../definitions.ts';
import { useAttributes, useProperties, valuesOf } from '../recorded/recorded.ts';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { DateFields } from './date-fields.tsx';
import { DidFields } from './did-fields.tsx';
import { OccurrenceFields, SequenceFields } from './history-fields.tsx';
import { MembershipFields } from './joined-fields.tsx';
import { NameInput } from './name-input.tsx';
import { ComparedWithFields, EventsValueFields, othersOf } from './other-fields.tsx';
import { ComparisonFields } from './value-fields.tsx';
import { WindowFields } from './window-fields.tsx';
import { CHANNELS, CONSENTS, IDENTIFIERS, ITEM_FACTS, ITEMS, type Kind, TIMES } from './words.ts';

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What a condition of a kind begins with. */
export function newLeaf(kind: Kind, eventType: string, isOfEvent = false): Leaf {
  switch (kind) {
    case 'did':
      return { did: { event_type: eventType } };
    case 'events':
      return { events: { event_type: eventType, measure: 'last', property: '' }, op: 'gt', value: 0 };
    case 'occurrence':
      return { occurrence: { which: 'last', event_type: eventType } };
    case 'sequence':
      return { sequence: { event_type: eventType, followed_by: { event_type: '', within: 'P7D', happened: false } } };
    case 'property':
      return { property: '', op: 'eq', value: '' };
    case 'from':
      return { from: 'steps.', op: 'eq', value: '' };
    case 'items':
      return { items: { property: 'items', match: 'any', where: { property: '', op: 'eq', value: '' } } };
    case 'attribute':
      return { attribute: '', op: 'eq', value: '' };
    case 'identifier':
      return { identifier: 'email', op: 'exists' };
    case 'date':
      return { date: { ...(isOfEvent ? { property: '' } : { attribute: '' }), next: 'P7D', time_zone: ownZone() } };
    case 'profile':
      return { profile: { time: 'created_at', window: { last: 'P30D' } } };
    case 'consent':
      return { consent: { channel: 'email', status: 'subscribed' } };
    case 'share':
      return { share: { name: '', from: 0, to: 10 } };
    case 'item':
      return { item: 'available', op: 'eq', value: true };
    case 'list':
      return { list: '' };
    case 'segment':
      return { segment: '' };
  }
}

interface OfEvent {
  /** That of the event whose properties are compared. */
  eventType: string;
  /** The list among those of which an item is compared. */
  itemsOf?: ValueName | undefined;
  /** What else may be asked for at the place: with what something can be compared, and whether time passes there. */
  of: readonly Kind[];
}

/**
 * The fields of one condition, whatever it asks; what the events that it looks for have to be like is asked apart, and what the items
 * of one.
 */
export function LeafFields({ value: leaf, label, onChange, ...event }: Fields<Leaf> & OfEvent) {
  if ('did' in leaf) return <DidFields value={leaf.did} label={label} onChange={(did) => onChange({ did })} />;
  if ('property' in leaf || 'attribute' in leaf || 'identifier' in leaf || 'from' in leaf) {
    return <ComparedFields value={leaf} label={label} onChange={onChange} {...event} />;
  }
  if ('events' in leaf) return <EventsFields value={leaf} label={label} onChange={onChange} {...event} />;
  if ('date' in leaf) {
    const { eventType } = event;
    return <DateFields value={leaf.date} label={label} onChange={(date) => onChange({ date })} eventType={eventType} />;
  }
  if ('item' in leaf) return <ItemFields value={leaf} label={label} onChange={onChange} />;
  if ('items' in leaf) return <ItemsFields value={leaf} label={label} onChange={onChange} {...event} />;
  if ('list' in leaf || 'segment' in leaf) {
    const isTimed = event.of.includes('date');
    return <MembershipFields value={leaf} label={label} onChange={onChange} isTimed={isTimed} />;
  }
  if ('occurrence' in leaf) {
    const change = (occurrence: Occurrence) => onChange({ occurrence });
    return <OccurrenceFields value={leaf.occurrence} label={label} onChange={change} />;
  }
  if ('sequence' in leaf) {
    return <SequenceFields value={leaf.sequence} label={label} onChange={(sequence) => onChange({ sequence })} />;
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    return (
      <>
        <Choice
          label={`${label}: choice`}
          words={CONSENTS}
          value={status}
          onChange={(value) => onChange({ consent: { channel, status: value } })}
        />
        <Choice
          label={`${label}: channel`}
          words={CHANNELS}
          value={channel}
          onChange={(value) => onChange({ consent: { channel: value, status } })}
        />
      </>
    );
  }
  if ('share' in leaf) {
    return <ShareFields value={leaf.share} label={label} onChange={(share) => onChange({ share })} />;
  }
  const { time, window } = leaf.profile;
  return (
    <>
      <Choice
        label={`${label}: time`}
        words={TIMES}
        value={time}
        onChange={(value) => onChange({ profile: { time: value, window } })}
      />
      <WindowFields
        label={label}
        value={window}
        onChange={(changed) => onChange({ profile: { time, window: changed } })}
      />
    </>
  );
}

function EventsFields({ value: leaf, label, onChange, eventType, of }: Fields<EventsCondition> & OfEvent) {
  const { event_type: type, property = '' } = leaf.events;
  const properties = useProperties(type);
  return (
    <>
      <EventsValueFields value={leaf.events} label={label} onChange={(events) => onChange({ ...leaf, events })} />
      <ComparedWithFields
        value={leaf}
        label={label}
        onChange={onChange}
        recorded={valuesOf(properties, property)}
        of={othersOf(of)}
        eventType={eventType}
      />
    </>
  );
}

function ShareFields({ value: share, label, onChange }: Fields<Extract<Leaf, { share: unknown }>['share']>) {
  return (
    <>
      <TextInput
        aria-label={`${label}: name of the share`}
        placeholder="spring holdout"
        {...INLINE}
        w={160}
        required
        maxLength={100}
        value={share.name}
        onChange={({ currentTarget: { value } }) => onChange({ ...share, name: value })}
      />
      <NumberField
        aria-label={`${label}: from percent`}
        {...INLINE}
        w={80}
        value={share.from ?? 0}
        onChange={(from) => onChange({ ...share, from })}
      />
      <NumberField
        aria-label={`${label}: to percent`}
        {...INLINE}
        w={80}
        value={share.to}
        onChange={(to) => onChange({ ...share, to })}
      />
    </>
  );
}

function ItemFields({ value: leaf, label, onChange }: Fields<ItemCondition>) {
  const { currency: _, ...rest } = leaf;
  return (
    <>
      <Choice
        label={`${label}: what of the item`}
        words={ITEM_FACTS}
        w={140}
        value={leaf.item}
        onChange={(item) =>
          onChange(item === 'available' ? { item, op: 'eq', value: true } : { ...rest, item, op: 'gte', value: 1 })
        }
      />
      <ComparisonFields value={leaf} label={label} onChange={onChange} recorded={[]} />
    </>
  );
}

function ItemsFields({
  value: { items },
  label,
  onChange,
  eventType,
}: Fields<Extract<Leaf, { items: unknown }>> & OfEvent) {
  const { property, match = 'any' } = items;
  return (
    <>
      <Choice
        label={`${label}: how many items`}
        words={ITEMS}
        w={140}
        value={match}
        onChange={(to) => onChange({ items: { ...items, match: to } })}
      />
      <NameInput
        recorded={useProperties(eventType)}
        aria-label={`${label}: list of items`}
        placeholder="items"
        {...INLINE}
        w={160}
        required
        maxLength={255}
        value={property}
        onChange={(to) => onChange({ items: { ...items, property: to } })}
      />
    </>
  );
}

function ComparedFields({
  value: leaf,
  label,
  onChange,
  eventType,
  itemsOf,
  of,
}: Fields<Exclude<Extract<Leaf, Comparison>, ItemCondition | EventsCondition>> & OfEvent) {
  const properties = useProperties(eventType, itemsOf);
  const attributes = useAttributes();
  if ('identifier' in leaf) {
    return (
      <>
        <Choice
          label={`${label}: identifier`}
          words={IDENTIFIERS}
          w={160}
          value={leaf.identifier}
          onChange={(identifier) => onChange({ ...leaf, identifier })}
        />
        <ComparisonFields value={leaf} label={label} onChange={onChange} recorded={[]} isText />
      </>
    );
  }
  if ('from' in leaf) {
    return (
      <>
        <NameInput
          recorded={[]}
          aria-label={`${label}: path`}
          placeholder="steps.call.answer.tier"
          {...INLINE}
          w={220}
          required
          maxLength={255}
          value={leaf.from}
          onChange={(from) => onChange({ ...leaf, from })}
        />
        <ComparisonFields value={leaf} label={label} onChange={onChange} recorded={[]} />
      </>
    );
  }
  const isProperty = 'property' in leaf;
  const recorded = isProperty ? properties : attributes;
  const name = isProperty ? leaf.property : leaf.attribute;
  return (
    <>
      <NameInput
        recorded={recorded}
        aria-label={`${label}: name of the ${isProperty ? 'property' : 'attribute'}`}
        placeholder={isProperty ? 'Property' : 'Attribute'}
        {...INLINE}
        w={160}
        required
        maxLength={255}
        value={name}
        onChange={(to) => onChange(isProperty ? { ...leaf, property: to } : { ...leaf, attribute: to })}
      />
      <ComparedWithFields
        value={leaf}
        label={label}
        onChange={onChange}
        recorded={valuesOf(recorded, name)}
        of={othersOf(of)}
        eventType={eventType}
      />
    </>
  );
}
