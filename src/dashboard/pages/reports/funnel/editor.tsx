import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { DurationInput } from '../../../components/duration-input.tsx';
import { Section } from '../../../components/section.tsx';
import { Several } from '../../../components/several.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { ClientEvents } from '../../../conditions/client-events.tsx';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { notesOf } from '../../../conditions/notes.ts';
import { Place } from '../../../conditions/place.ts';
import { OF_EVENT } from '../../../conditions/words.ts';
import { useEventTypes, useProperties } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';
import { useAllows } from '../../../session/current-caller.tsx';
import { type FunnelDefinition, MAX_STEPS, MIN_STEPS, type Step } from './definition.ts';

/** Edits what is counted. `error`: why that was refused; `wrong` has what is said at a field. */
export function FunnelEditor({
  value,
  onChange,
  onSubmit,
  isCounting,
  error,
  wrong,
}: {
  value: FunnelDefinition;
  onChange: (value: FunnelDefinition) => void;
  onSubmit: () => void;
  isCounting: boolean;
  error: Error | null;
  wrong: (field: string) => string | undefined;
}) {
  const { steps, window, breakdown } = value;
  const mayRead = useAllows('events:read');
  const properties = useProperties(steps[0]?.event_type ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const ofDays = wrong('from') ?? wrong('to');
  return (
    <Section title="Steps">
      <form onSubmit={submit}>
        <Stack>
          <Several<Step>
            label="Step"
            items={steps}
            onChange={(changed) => onChange({ ...value, steps: changed })}
            add={{ 'Add a step': () => ({ event_type: '' }) }}
            atLeast={MIN_STEPS}
            atMost={MAX_STEPS}
            render={(step, change, n) => (
              <StepFields
                number={n + 1}
                value={step}
                onChange={change}
                error={error}
                wrong={wrong(`steps[${n}].event_type`)}
              />
            )}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Stack gap={4}>
              <DurationInput
                label="All within"
                description="After the first step; 30 days at most."
                value={window}
                onChange={(to) => onChange({ ...value, window: to })}
              />
              <Wrong text={wrong('window')} />
            </Stack>
            {mayRead && (
              <RecordedInput
                recorded={properties}
                label="Break down by"
                description="A property of the events of the first step, if any."
                placeholder="device"
                maxLength={128}
                value={breakdown}
                onChange={(to) => onChange({ ...value, breakdown: to })}
                error={wrong('breakdown')}
              />
            )}
          </SimpleGrid>
          <Wrong text={ofDays && `The days are none that can be counted: ${ofDays}.`} />
          <Group justify="flex-end">
            <Button type="submit" loading={isCounting} disabled={window === ''}>
              Count the customers
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Wrong({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {text}
    </Text>
  );
}

function StepFields({
  number,
  value,
  onChange,
  error,
  wrong,
}: {
  number: number;
  value: Step;
  onChange: (value: Step) => void;
  error: Error | null;
  wrong: string | undefined;
}) {
  const types = useEventTypes();
  const mayRead = useAllows('events:read');
  const { event_type, where, from_client } = value;
  return (
    <Place value={{ takesClientEvents: true, hasTrigger: false, eventType: event_type }}>
      <RecordedInput
        recorded={types}
        label="Type of event"
        placeholder="placed_order"
        required
        maxLength={128}
        value={event_type}
        onChange={(to) => onChange({ ...value, event_type: to })}
        error={wrong}
      />
      {mayRead && (
        <ConditionFields
          label={`Step ${number}: only where`}
          legend="Only where"
          value={where}
          onChange={(to) => onChange(withOptional(value, 'where', to))}
          of={OF_EVENT}
          eventType={event_type}
          {...(where && { notes: notesOf(where, [error], [], `steps[${number - 1}].where`) })}
        />
      )}
      <ClientEvents
        label={`Step ${number}: also events of pages and apps`}
        value={from_client}
        onChange={(takes) => onChange(withOptional(value, 'from_client', takes))}
      />
    </Place>
  );
}
