import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { NumberField } from '../../components/number-field.tsx';
import type { Did, PropertyCondition } from '../../definitions.ts';
import { type Recorded, useEventTypes, useProperties, valuesOf } from '../../recorded/recorded.ts';
import { RecordedInput } from '../../recorded/recorded-input.tsx';
import { ClientEvents } from '../automations/editor/client-events.tsx';
import { withOptional } from '../automations/editor/with-optional.ts';
import { Choice, type Fields } from './choice.tsx';
import { type Amount, amountOf, testsOf, windowOf, withAmount, withTests, withWindow } from './did.ts';
import { TestFields } from './test-fields.tsx';
import { WindowFields } from './window-fields.tsx';
import { AMOUNTS } from './words.ts';

type Measure = 'once' | 'count' | 'sum';

const MEASURES: Record<Measure, string> = {
  once: 'at least once',
  count: 'a number of times',
  sum: 'with a sum of',
};
const MAX_TESTS = 10;

function measureOf(did: Did): Measure {
  if (did.sum) return 'sum';
  return amountOf(did) ? 'count' : 'once';
}

function withMeasure(did: Did, to: Measure): Did {
  if (to === 'once') return withAmount(did);
  const { op = 'gte', value = 1 } = amountOf(did) ?? {};
  return withAmount(did, to === 'count' ? { op, value } : { property: '', op, value });
}

/** What the customer did: which events, how often or for how much, and when. */
export function EventFields({ value: did, label, onChange }: Fields<Did>) {
  const properties = useProperties(did.event_type);
  const amount = amountOf(did);
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
        value={did.event_type}
        onChange={(event_type) => onChange({ ...did, event_type })}
      />
      <Choice
        label={`${label}: how often`}
        words={MEASURES}
        w={160}
        value={measureOf(did)}
        onChange={(to) => onChange(withMeasure(did, to))}
      />
      {amount && (
        <AmountFields
          value={amount}
          label={label}
          onChange={(to) => onChange(withAmount(did, to))}
          properties={properties}
        />
      )}
      <WindowFields
        label={label}
        isOptional
        value={windowOf(did)}
        onChange={(window) => onChange(withWindow(did, window))}
      />
      <ClientEvents
        label="Also from pages and apps"
        value={did.from_client}
        onChange={(takes) => onChange(withOptional(did, 'from_client', takes))}
      />
      <WhereFields
        label={label}
        value={testsOf(did) ?? []}
        properties={properties}
        onChange={(tests) => onChange(withTests(did, tests))}
      />
    </>
  );
}

interface OfEvents {
  /** Those of such events. */
  properties: readonly Recorded[];
}

function AmountFields({ value: amount, label, onChange, properties }: Fields<Amount> & OfEvents) {
  return (
    <>
      {'property' in amount && (
        <RecordedInput
          recorded={properties}
          aria-label={`${label}: property to sum up`}
          placeholder="value"
          size="xs"
          maw="100%"
          w={120}
          required
          maxLength={255}
          value={String(amount.property)}
          onChange={(property) => onChange({ ...amount, property })}
        />
      )}
      <Choice
        label={`${label}: amount`}
        words={AMOUNTS}
        w={110}
        value={amount.op}
        onChange={(op) => onChange({ ...amount, op })}
      />
      <NumberField
        aria-label={`${label}: number`}
        size="xs"
        maw="100%"
        w={90}
        value={amount.value}
        onChange={(value) => onChange({ ...amount, value })}
      />
    </>
  );
}

/** Which of the events count, by their properties. */
function WhereFields({ value: tests, label, onChange, properties }: Fields<PropertyCondition[]> & OfEvents) {
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
              value={String(test.property)}
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
