import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Arguments } from '../../../../client/index.ts';
import { objectIn } from '../../../components/json-object.ts';
import { JsonObjectInput } from '../../../components/json-object-input.tsx';
import { CustomerFields, NOBODY, referenceTo } from '../../profiles/customer-fields.tsx';

type Asked = Omit<Arguments<'renderTemplate'>, 'id'>;
type Occasion = 'none' | 'recorded' | 'made-up';

/** For whom, after what and in which language a preview is. */
export function PreviewFields({ onSubmit, isPending }: { onSubmit: (asked: Asked) => void; isPending: boolean }) {
  const [customer, setCustomer] = useState(NOBODY);
  const [occasion, setOccasion] = useState<Occasion>('none');
  const [eventId, setEventId] = useState('');
  const [eventType, setEventType] = useState('placed_order');
  const [properties, setProperties] = useState('{}');
  const [locale, setLocale] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const profile = referenceTo(customer);
    const made = objectIn(properties);
    if (occasion === 'made-up' && !made) return;
    onSubmit({
      ...(profile && { profile }),
      ...(occasion === 'recorded' && { event: { id: eventId.trim() } }),
      ...(occasion === 'made-up' && { event: { event_type: eventType.trim(), properties: made ?? {} } }),
      ...(locale.trim() !== '' && { locale: locale.trim() }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <CustomerFields value={customer} onChange={setCustomer} />
        <SegmentedControl
          size="xs"
          aria-label="Event"
          data={[
            { value: 'none', label: 'No event' },
            { value: 'made-up', label: 'A made-up one' },
            { value: 'recorded', label: 'A recorded one' },
          ]}
          value={occasion}
          onChange={(value) => setOccasion(value as Occasion)}
        />
        {occasion === 'recorded' && (
          <TextInput
            label="Id of the event"
            required
            value={eventId}
            onChange={({ currentTarget }) => setEventId(currentTarget.value)}
          />
        )}
        {occasion === 'made-up' && (
          <>
            <TextInput
              label="Type of event"
              required
              maxLength={128}
              value={eventType}
              onChange={({ currentTarget }) => setEventType(currentTarget.value)}
            />
            <JsonObjectInput label="Properties of the event as JSON" value={properties} onChange={setProperties} />
          </>
        )}
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Language"
            placeholder="That of the customer"
            maxLength={35}
            flex={1}
            value={locale}
            onChange={({ currentTarget }) => setLocale(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={isPending}>
            Show
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
