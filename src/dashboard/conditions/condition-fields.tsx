import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { useContext, useState } from 'react';
import type { ValueName } from '../../client/index.ts';
import { withOptional } from '../components/with-optional.ts';
import type { Condition } from '../definitions.ts';
import { Choice, type Fields } from './choice.tsx';
import { BY, type By, conditionOf, fromRow, groupOf, type Part, type Row, rowOf, wholeConditionOf } from './groups.ts';
import { LeafFields, newLeaf } from './leaf-fields.tsx';
import { Place } from './place.ts';
import { Add, capitalized, Framed, type Note, Notices } from './row-parts.tsx';
import { clause } from './sentence.ts';
import { isShownWhole } from './shown-whole.ts';
import { KINDS, type Kind, kindOf, OF_EVENT } from './words.ts';

/** Groups within groups that are offered: with the conditions in them, the service takes five levels. */
const MAX_DEPTH = 4;

/** What is to be said at conditions and groups, by their places. */
export type Notes = ReadonlyMap<string, readonly Note[]>;

/** What all conditions have in common that are edited together. */
interface Common {
  /** What a condition may ask about, the usual first. */
  of: readonly [Kind, ...Kind[]];
  /** That of the event whose properties are compared. */
  eventType?: string;
  /** The list among those of which an item is compared. */
  itemsOf?: ValueName;
  notes?: Notes;
}

/** A condition as one or several, of which all, any or none must be true, and groups of them. */
export function ConditionFields({
  label,
  legend = label,
  value,
  onChange,
  ...common
}: Fields<Condition | undefined> & Common & { legend?: string }) {
  return (
    <Fieldset legend={legend} aria-label={label} p={{ base: 'xs', sm: 'md' }} miw={0}>
      <GroupFields
        common={common}
        label={label}
        part={value && { condition: value, place: '' }}
        onChange={(by, parts) => onChange(wholeConditionOf(by, parts))}
      />
    </Fieldset>
  );
}

/** The same, of which there is one at least, as the rest of a sentence that `lead` begins. */
export function RequiredConditionFields({
  lead,
  value,
  onChange,
  ...common
}: Omit<Fields<Condition>, 'label'> & Common & { lead: string }) {
  return (
    <GroupFields
      common={common}
      label=""
      lead={lead}
      part={{ condition: value, place: '' }}
      onChange={(by, parts) => onChange(wholeConditionOf(by, parts) ?? value)}
    />
  );
}

function GroupFields({
  common,
  label,
  lead,
  number = '',
  part,
  onChange,
}: {
  common: Common;
  label: string;
  /** Of what can't be without conditions. */
  lead?: string;
  /** That of the group within others, as `2.1`. */
  number?: string;
  part: Part | undefined;
  onChange: (by: By, parts: Condition[]) => void;
}) {
  const { by, parts, place } = groupOf(part?.condition, part?.place);
  const { eventType } = useContext(Place);
  const [keys, forget] = useKeys(parts.length);
  const conditions = parts.map(({ condition }) => condition);
  const change = (changed: Condition[]) => onChange(by, changed);
  const added = () => newLeaf(common.of[0], eventType);
  const nameOf = (what: string, of: string) => `${label && `${label}, `}${what} ${of}`;
  const name = number === '' ? label : nameOf('group', number);
  const depth = number === '' ? 1 : number.split('.').length + 1;
  return (
    <Stack gap="sm">
      {(lead !== undefined || number !== '' || parts.length > 1 || by !== 'all') && (
        <Group gap="xs">
          {lead !== undefined && <Text size="sm">{lead}</Text>}
          <Choice
            label={capitalized(`${name && `${name}: `}how many conditions`)}
            words={BY}
            value={by}
            onChange={(chosen) => onChange(chosen, conditions)}
          />
        </Group>
      )}
      {parts.map((one, n) => {
        const own = number === '' ? String(n + 1) : `${number}.${n + 1}`;
        const row = rowOf(one.condition);
        const its = nameOf(row ? 'condition' : 'group', own);
        const replace = (changed: Condition) => change(conditions.with(n, changed));
        const remove = () => {
          forget(n);
          change(conditions.toSpliced(n, 1));
        };
        const canBeRemoved = parts.length > 1 || (number === '' && lead === undefined);
        return (
          <Framed key={keys[n]} label={its} onRemove={canBeRemoved ? remove : undefined}>
            {row ? (
              <>
                <RowFields
                  common={common}
                  value={row}
                  label={capitalized(its)}
                  onChange={(to) => replace(fromRow(to))}
                />
                <Notices notes={common.notes?.get(one.place)} />
              </>
            ) : (
              <GroupFields
                common={common}
                label={label}
                number={own}
                part={one}
                onChange={(chosen, changed) => replace(conditionOf(chosen, changed))}
              />
            )}
          </Framed>
        );
      })}
      {part && !rowOf(part.condition) && <Notices notes={common.notes?.get(place)} />}
      <Group gap="xs">
        <Add text="Add a condition" to={name} onClick={() => change([...conditions, added()])} />
        {depth < MAX_DEPTH && parts.length > 0 && (
          <Add
            text="Add a group"
            to={name}
            onClick={() => change([...conditions, conditionOf(by === 'any' ? 'all' : 'any', [added()])])}
          />
        )}
      </Group>
    </Stack>
  );
}

let lastKey = 0;

/** Keys of what has no names, so that what is being typed stays with it when another is removed. */
function useKeys(length: number): [keys: readonly number[], forget: (index: number) => void] {
  const [keys, setKeys] = useState<readonly number[]>([]);
  const missing = length - keys.length;
  const known = missing > 0 ? [...keys, ...Array.from({ length: missing }, () => ++lastKey)] : keys;
  if (known !== keys) setKeys(known);
  return [known, (index) => setKeys(known.toSpliced(index, 1))];
}

/** One condition; where it looks for events, with what these have to be like. */
function RowFields({ common, value: row, label, onChange }: Fields<Row> & { common: Common }) {
  const { of, eventType = '', itemsOf } = common;
  const place = useContext(Place);
  const { leaf, isNegated } = row;
  const kind = kindOf(leaf);
  if (!kind || !isShownWhole(leaf)) return <Text size="sm">If {clause(fromRow(row))}: change it as JSON.</Text>;
  const isOfEvent = kind === 'property' || kind === 'items' || ('date' in leaf && leaf.date.property !== undefined);
  const who = itemsOf !== undefined ? 'the item' : isOfEvent ? 'the event' : 'the customer';
  const change = (to: Row['leaf']) => onChange({ leaf: to, isNegated });
  return (
    <>
      <Group gap="xs">
        {(of.length > 1 || isNegated) && (
          <Choice<string>
            label={`${label}: whether it is true`}
            words={{ is: who, not: `not: ${who}` }}
            w={150}
            value={isNegated ? 'not' : 'is'}
            onChange={(chosen) => onChange({ leaf, isNegated: chosen === 'not' })}
          />
        )}
        {of.length > 1 && (
          <Choice<Kind>
            label={`${label}: what is asked`}
            words={Object.fromEntries([...new Set([...of, kind])].map((one) => [one, KINDS[one]]))}
            w={180}
            value={kind}
            onChange={(chosen) => chosen !== kind && change(newLeaf(chosen, place.eventType, of[0] === 'property'))}
          />
        )}
        <LeafFields value={leaf} label={label} onChange={change} eventType={eventType} itemsOf={itemsOf} of={of} />
      </Group>
      {'did' in leaf && (
        <FilterFields
          value={leaf.did.filter}
          label={label}
          eventType={leaf.did.event_type}
          onChange={(filter) => change({ did: withOptional(leaf.did, 'filter', filter) })}
        />
      )}
      {'events' in leaf && (
        <FilterFields
          value={leaf.events.filter}
          label={label}
          eventType={leaf.events.event_type}
          onChange={(filter) => change({ ...leaf, events: withOptional(leaf.events, 'filter', filter) })}
        />
      )}
      {'occurrence' in leaf && (
        <>
          <FilterFields
            value={leaf.occurrence.filter}
            label={label}
            eventType={leaf.occurrence.event_type}
            onChange={(filter) => change({ occurrence: withOptional(leaf.occurrence, 'filter', filter) })}
          />
          <FilterFields
            value={leaf.occurrence.where}
            label={label}
            legend="Where that event has a property"
            eventType={leaf.occurrence.event_type}
            onChange={(where) => change({ occurrence: withOptional(leaf.occurrence, 'where', where) })}
          />
        </>
      )}
      {'sequence' in leaf && (
        <>
          <FilterFields
            value={leaf.sequence.filter}
            label={label}
            eventType={leaf.sequence.event_type}
            onChange={(filter) => change({ sequence: withOptional(leaf.sequence, 'filter', filter) })}
          />
          <FilterFields
            value={leaf.sequence.followed_by.filter}
            label={`${label}, what follows`}
            legend="What follows: only events with a property"
            eventType={leaf.sequence.followed_by.event_type}
            onChange={(filter) => {
              const { followed_by } = leaf.sequence;
              change({ sequence: { ...leaf.sequence, followed_by: withOptional(followed_by, 'filter', filter) } });
            }}
          />
        </>
      )}
      {'value_of' in leaf && leaf.value_of?.did && (
        <FilterFields
          value={leaf.value_of.did.filter}
          label={`${label}, the other events`}
          legend="Of the other events, only those with a property"
          eventType={leaf.value_of.did.event_type}
          onChange={(filter) => {
            const { did } = leaf.value_of ?? {};
            if (did) change({ ...leaf, value_of: { did: withOptional(did, 'filter', filter) } });
          }}
        />
      )}
      {'items' in leaf && (
        <ConditionFields
          label={`${label}: items where`}
          legend="Where, of the same item"
          value={leaf.items.where}
          onChange={(where = newLeaf('property', '')) => change({ items: { ...leaf.items, where } })}
          of={['property']}
          eventType={eventType}
          itemsOf={leaf.items.property}
        />
      )}
    </>
  );
}

/** “Only events where” of “Only events with a property”. */
function whereOf(legend: string): string {
  return legend.replace(/ (?:with|has) a property$/, (end) => (end.startsWith(' with') ? ' where' : ''));
}

function FilterFields({
  value,
  label,
  onChange,
  eventType,
  legend = 'Only events with a property',
}: Fields<Condition | undefined> & { eventType: string; legend?: string }) {
  if (!value) {
    return (
      <Group>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<PlusIcon />}
          h="auto"
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          aria-label={`${label}: ${legend.charAt(0).toLowerCase()}${legend.slice(1)}`}
          onClick={() => onChange(newLeaf('property', eventType))}
        >
          {legend}
        </Button>
      </Group>
    );
  }
  return (
    <ConditionFields
      label={`${label}: ${whereOf(legend).charAt(0).toLowerCase()}${whereOf(legend).slice(1)}`}
      legend={whereOf(legend)}
      value={value}
      onChange={onChange}
      of={OF_EVENT}
      eventType={eventType}
    />
  );
}
