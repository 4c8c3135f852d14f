import { Select, TextInput } from '@mantine/core';
import { DurationInput } from '../components/duration-input.tsx';
import { UNITS } from '../components/durations.ts';
import type { DateTest } from '../definitions.ts';
import { useAttributes, useProperties } from '../recorded/recorded.ts';
import { TIME_ZONES } from '../session/time-zone.ts';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { type DateRelation, dateRelationOf, RELATIONS, relationWith } from './dates.ts';
import { NameInput } from './name-input.tsx';

const { d, w } = UNITS;

/** A date of the customer or of an event, and where it lies from today. */
export function DateFields({ value: test, label, onChange, eventType }: Fields<DateTest> & { eventType: string }) {
  const [attributes, properties] = [useAttributes(), useProperties(eventType)];
  const isProperty = test.property !== undefined;
  const relation = dateRelationOf(test);
  const change = (to: DateRelation) => onChange(relationWith(test, to));
  return (
    <>
      <NameInput
        recorded={isProperty ? properties : attributes}
        aria-label={`${label}: name of the ${isProperty ? 'property' : 'attribute'}`}
        placeholder={isProperty ? 'Property' : 'Attribute'}
        {...INLINE}
        w={160}
        required
        maxLength={255}
        value={test.property ?? test.attribute ?? ''}
        onChange={(name) => onChange({ ...test, ...(isProperty ? { property: name } : { attribute: name }) })}
      />
      <Choice
        label={`${label}: where it lies`}
        words={RELATIONS}
        value={relation.kind}
        onChange={(kind) => change({ kind, value: kind === 'before' || kind === 'after' ? '' : 'P7D' })}
      />
      {relation.kind === 'before' || relation.kind === 'after' ? (
        <TextInput
          type="date"
          aria-label={`${label}: date`}
          {...INLINE}
          required
          value={relation.value}
          onChange={({ currentTarget }) => change({ kind: relation.kind, value: currentTarget.value })}
        />
      ) : (
        relation.kind !== 'today' && (
          <DurationInput
            isInline
            label={`${label}: days`}
            value={relation.value}
            units={{ d, w }}
            onChange={(value) => change({ kind: relation.kind, value })}
          />
        )
      )}
      <Select
        aria-label={`${label}: time zone`}
        {...INLINE}
        w={200}
        searchable
        limit={50}
        allowDeselect={false}
        data={TIME_ZONES}
        value={typeof test.time_zone === 'string' ? test.time_zone : 'UTC'}
        onChange={(zone) => onChange({ ...test, time_zone: zone ?? 'UTC' })}
      />
    </>
  );
}
