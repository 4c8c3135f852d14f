import { Accordion, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { Section } from '../../../components/section.tsx';
import { Several } from '../../../components/several.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { NameInput } from '../../../conditions/name-input.tsx';
import { OF_CUSTOMER_TODAY, OF_HISTORY } from '../../../conditions/words.ts';
import type { AutomationDefinition, EventMatch, Reentry } from '../../../definitions.ts';
import { useAttributes, useProperties } from '../../../recorded/recorded.ts';
import { REENTRY_WORDS, usualReentry } from '../words/trigger.ts';
import { GoalFields } from './goal-fields.tsx';
import { MatchFields } from './match-fields.tsx';
import { TriggerFields } from './trigger-fields.tsx';
import type { Draft } from './use-draft.ts';

/** What starts runs, who enters, and what ends them. */
export function Settings({ draft: { definition, change } }: { draft: Draft }) {
  const set = <Name extends keyof AutomationDefinition>(name: Name, value: AutomationDefinition[Name] | undefined) =>
    change(withOptional(definition, name, value));
  const { name, trigger, key, entry_condition, exit_on = [], exit_when } = definition;
  const reentry = definition.reentry ?? usualReentry(trigger);
  const properties = useProperties(trigger.type === 'event' ? trigger.event_type : '');
  const ofItem = trigger.type === 'catalog' ? (['item'] as const) : [];
  const takesKey = trigger.type === 'event' || trigger.type === 'manual';
  return (
    <Stack gap="lg">
      <Section title="Trigger">
        <TextInput
          label="Name"
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => set('name', currentTarget.value)}
        />
        <TriggerFields value={trigger} onChange={(changed) => set('trigger', changed)} />
        {takesKey && (
          <NameInput
            label="Key: the property that tells runs of a customer apart, such as a cart or an order"
            placeholder="None"
            recorded={properties}
            value={key?.property ?? ''}
            onChange={(property) => set('key', property.length > 0 ? { property } : undefined)}
          />
        )}
      </Section>
      <Section title="Who enters">
        <ConditionFields
          label="Enters if"
          value={entry_condition}
          onChange={(condition) => set('entry_condition', condition)}
          of={[...OF_CUSTOMER_TODAY, ...OF_HISTORY, 'property', 'items', ...ofItem]}
          {...(trigger.type === 'event' && { eventType: trigger.event_type })}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Select
            label="Re-entry"
            data={Object.entries(REENTRY_WORDS).map(([value, label]) => ({ value, label }))}
            value={reentry.mode}
            onChange={(mode) => mode && set('reentry', { ...reentry, mode: mode as Reentry['mode'] })}
            allowDeselect={false}
          />
          <Select
            label="For each"
            data={[
              { value: 'profile', label: 'customer' },
              { value: 'key', label: 'customer and key' },
            ]}
            value={reentry.per}
            onChange={(per) => per && set('reentry', { ...reentry, per: per as Reentry['per'] })}
            allowDeselect={false}
          />
          <DurationInput
            label="At least apart"
            value={reentry.min_interval ?? ''}
            onChange={(interval) => set('reentry', { ...reentry, min_interval: interval || null })}
          />
        </SimpleGrid>
      </Section>
      <Section title="What ends a run">
        <Several<EventMatch>
          label="Ends at once with event"
          items={exit_on}
          onChange={(matches) => set('exit_on', matches.length > 0 ? matches : undefined)}
          add={{ 'Add an event that ends it': () => ({ event_type: 'placed_order' }) }}
          render={(match, changeMatch) => <MatchFields value={match} onChange={changeMatch} />}
        />
        <GoalFields value={definition.goal} onChange={(goal) => set('goal', goal)} />
        <ConditionFields
          label="Ends before an action if"
          value={exit_when}
          onChange={(condition) => set('exit_when', condition)}
          of={[...OF_CUSTOMER_TODAY, ...OF_HISTORY, ...ofItem]}
        />
      </Section>
      <Accordion variant="contained">
        <Accordion.Item value="advanced">
          <Accordion.Control>Advanced</Accordion.Control>
          <Accordion.Panel>
            <Advanced definition={definition} set={set} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function Advanced({
  definition: { time_zone, quiet_hours },
  set,
}: {
  definition: AutomationDefinition;
  set: <Name extends 'time_zone' | 'quiet_hours'>(name: Name, value: AutomationDefinition[Name] | undefined) => void;
}) {
  const zone = time_zone ?? { default: 'UTC' };
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Time zone"
          description="The IANA name, such as Europe/Berlin."
          maxLength={64}
          value={zone.default}
          onChange={({ currentTarget }) => set('time_zone', { ...zone, default: currentTarget.value })}
        />
        <NameInput
          label="Attribute with the customer’s own time zone"
          placeholder="None"
          recorded={useAttributes()}
          value={zone.attribute ?? ''}
          onChange={(attribute) =>
            set('time_zone', withOptional(zone, 'attribute', attribute.length > 0 ? attribute : undefined))
          }
        />
      </SimpleGrid>
      <Select
        label="Quiet hours"
        description="Local times at which customers get no messages."
        data={[
          { value: 'none', label: 'None' },
          { value: 'wait', label: 'Messages wait' },
          { value: 'skip', label: 'Messages are left out' },
        ]}
        value={quiet_hours?.then ?? 'none'}
        onChange={(then) =>
          set(
            'quiet_hours',
            then === 'wait' || then === 'skip' ? { from: '21:00', to: '08:00', ...quiet_hours, then } : undefined,
          )
        }
        allowDeselect={false}
      />
      {quiet_hours && (
        <SimpleGrid cols={2}>
          <TextInput
            label="From"
            maxLength={8}
            value={quiet_hours.from}
            onChange={({ currentTarget }) => set('quiet_hours', { ...quiet_hours, from: currentTarget.value })}
          />
          <TextInput
            label="To"
            maxLength={8}
            value={quiet_hours.to}
            onChange={({ currentTarget }) => set('quiet_hours', { ...quiet_hours, to: currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
