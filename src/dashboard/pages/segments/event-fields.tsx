import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { NumberField } from '../../components/number-field.tsx';
import type { SegmentEvent } from '../../definitions.ts';
import { type Recorded, useEventTypes, useProperties, valuesOf } from '../../recorded/recorded.ts';
import { RecordedInput } from '../../recorded/recorded-input.tsx';
import { Choice, type Fields } from './choice.tsx';
import { TestFields } from './test-fields.tsx';
import { WindowFields } from './window-fields.tsx';
import { AMOUNTS } from './words.ts';

type Where = NonNullable<SegmentEvent['where']>;
type Measure = 'once' | 'count' | 'sum';

const MEASURES: Record<Measure, string> = {
  once: 'at least once',
  count: 'a number of times',
  sum: 'with a sum of',
};
const MAX_TESTS = 10;

function measureOf({ measure, op }: SegmentEvent): Measure {
  if (measure === 'sum') return 'sum';
  return op === undefined ? 'once' : 'count';
}

function withMeasure(
  { measure: _, property, op = 'gte', value = 1, ...rest }: SegmentEvent,
  to: Measure,
): SegmentEvent {
  if (to === 'once') return rest;
  return to === 'count' ? { ...rest, op, value } : { ...rest, measure: 'sum', property: property ?? '', op, value };
}

/** What the customer did: which events, how often or for how much, and when. */
export function EventFields({ value: event, label, onChange }: Fields<SegmentEvent>) {
  const { window: _, ...withoutWindow } = event;
  const { where: __, ...withoutWhere } = event;
  const properties = useProperties(event.type);
  return (
    <>
      <RecordedInput
        recorded={useEventTypes()}
        aria-label={`${label}: type of event`}
        placeholder="placed_order"
        size="xs"
        maw="100%"
        w={180}
        required
        maxLength={128}
        value={event.type}
        onChange={(type) => onChange({ ...event, type })}
      />
      <Choice
        label={`${label}: how often`}
        words={MEASURES}
        w={160}
        value={measureOf(event)}
        onChange={(to) => onChange(withMeasure(event, to))}
      />
      {event.op !== undefined && <Amount value={event} label={label} onChange={onChange} properties={properties} />}
      <WindowFields
        label={label}
        isOptional
        value={event.window}
        onChange={(window) => onChange(window ? { ...event, window } : withoutWindow)}
      />
      <WhereFields
        label={label}
        value={event.where ?? []}
        properties={properties}
        onChange={(where) => onChange(where.length > 0 ? { ...event, where } : withoutWhere)}
      />
    </>
  );
}

interface OfEvents {
  /** Those of such events. */
  properties: readonly Recorded[];
}

function Amount({ value: event, label, onChange, properties }: Fields<SegmentEvent> & OfEvents) {
  return (
    <>
      {event.measure === 'sum' && (
        <RecordedInput
          recorded={properties}
          aria-label={`${label}: property to sum up`}
          placeholder="value"
          size="xs"
          maw="100%"
          w={120}
          required
          maxLength={255}
          value={event.property ?? ''}
          onChange={(property) => onChange({ ...event, property })}
        />
      )}
      <Choice
        label={`${label}: amount`}
        words={AMOUNTS}
        w={110}
        value={event.op ?? 'gte'}
        onChange={(op) => onChange({ ...event, op })}
      />
      <NumberField
        aria-label={`${label}: number`}
        size="xs"
        maw="100%"
        w={90}
        value={event.value ?? 1}
        onChange={(value) => onChange({ ...event, value })}
      />
    </>
  );
}

/** Which of the events count, by their properties. */
function WhereFields({ value: tests, label, onChange, properties }: Fields<Where> & OfEvents) {
  return (
    <Stack gap="xs" w="100%">
      {tests.map((test, n) => {
        const own = `${label}, property ${n + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state but what is being typed
          <Group key={n} gap="xs" role="group" aria-label={own} pl="md">
            <RecordedInput
              recorded={properties}
              aria-label={`${own}: name`}
              placeholder="where its property…"
              size="xs"
              maw="100%"
              w={160}
              required
              maxLength={255}
              value={test.property}
              onChange={(property) => onChange(tests.with(n, { ...test, property }))}
            />
            <TestFields
              label={own}
              value={test}
              recorded={valuesOf(properties, test.property)}
              onChange={(changed) => onChange(tests.with(n, { property: test.property, ...changed }))}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Remove ${own.toLowerCase()}`}
              onClick={() => onChange(tests.toSpliced(n, 1))}
            >
              <TrashIcon />
            </ActionIcon>
          </Group>
        );
      })}
      {tests.length < MAX_TESTS && (
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<PlusIcon />}
            aria-label={`${label}: only events with a property`}
            onClick={() => onChange([...tests, { property: '', op: 'eq', value: '' }])}
          >
            Only events with a property
          </Button>
        </Group>
      )}
    </Stack>
  );
}
