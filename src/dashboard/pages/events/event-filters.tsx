import { Autocomplete, Button, Group, Paper, TextInput } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { FilterIcon } from '@primer/octicons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useOperation } from '../../api/operations.ts';
import { TimeInput } from '../../components/time-input.tsx';
import type { EventFilters as Filters } from './filters.ts';

/** What a value alone is looked for in. */
const USUAL_PROPERTY = 'order_id';

const NONE = { event_type: '', profile_id: '', property: '', property_value: '', from: '', to: '' };

/** The filters as a form; they hold once they are applied, and are in the address then. */
export function EventFilters({ filters, onChange }: { filters: Filters; onChange: (change: Filters) => void }) {
  // Where they would leave little room for events, they are behind a button.
  const isRoomy = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const [isUnfolded, { open, close }] = useDisclosure();
  const isOpen = isRoomy || isUnfolded;
  const [draft, setDraft] = useState({ ...NONE, ...filters });
  const applied = JSON.stringify(filters);
  // They may change by the address, too.
  useEffect(() => setDraft({ ...NONE, ...JSON.parse(applied) }), [applied]);

  const types = useOperation('getEventStats', { interval: 'month' }).data?.series ?? [];
  const set = (name: keyof Filters) => (value: string) => setDraft((before) => ({ ...before, [name]: value }));
  const input = (name: keyof Filters) => ({
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(name)(currentTarget.value),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValueAlone = draft.property === '' && draft.property_value !== '';
    onChange(isValueAlone ? { ...draft, property: USUAL_PROPERTY } : draft);
    close();
  };
  const count = Object.keys(filters).length;
  const clear = (
    <Button variant="subtle" onClick={() => onChange(NONE)} disabled={count === 0}>
      Clear
    </Button>
  );

  if (!isOpen) {
    return (
      <Group gap="xs">
        <Button variant="default" leftSection={<FilterIcon />} aria-expanded={false} onClick={open}>
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
        {count > 0 && clear}
      </Group>
    );
  }
  return (
    <Paper component="form" role="search" aria-label="Filter events" onSubmit={submit} bg="var(--footfall-surface)">
      <Group align="flex-end" gap="sm">
        <Autocomplete
          label="Event type"
          placeholder="All types"
          data={types.flatMap(({ event_type }) => event_type ?? [])}
          value={draft.event_type}
          onChange={set('event_type')}
          flex={1}
          miw={150}
        />
        <TextInput label="Property" placeholder={USUAL_PROPERTY} {...input('property')} flex={1} miw={110} />
        <TextInput
          label="Value"
          placeholder="ord_5001"
          {...input('property_value')}
          flex={1}
          miw={110}
          required={draft.property !== ''}
          withAsterisk={false}
        />
        <TimeInput label="From" value={draft.from} onChange={set('from')} w={196} />
        <TimeInput label="Until" value={draft.to} onChange={set('to')} w={196} />
        {filters.profile_id && <TextInput label="Customer" {...input('profile_id')} flex={1} miw={160} />}
        <Group gap="xs">
          <Button type="submit" variant="light" leftSection={<FilterIcon />}>
            Apply
          </Button>
          {clear}
        </Group>
      </Group>
    </Paper>
  );
}
