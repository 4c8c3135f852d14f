import { TagsInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FootfallError, type OrderSettings as Settings } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';

/** Names in a list. */
const MOST = 10;

const FIELDS = [
  { name: 'placed_types', label: 'Events that are orders', description: 'Their types.' },
  {
    name: 'refunded_types',
    label: 'Events that are refunds',
    description: 'Of all of the order where they say no amount.',
  },
  { name: 'cancelled_types', label: 'Events that cancel an order', description: 'It counts as cancelled alone then.' },
  {
    name: 'order_id_properties',
    label: 'Properties with the number',
    description: 'The first that an event has counts. One within an object is named with dots, such as cart.id.',
  },
  {
    name: 'amount_properties',
    label: 'Properties with the amount',
    description: 'What the order came to, or what was refunded.',
  },
  {
    name: 'currency_properties',
    label: 'Properties with the currency',
    description: 'Without one it is that of the store.',
  },
] as const;

/** Which events are orders, and which properties say what. */
export function OrderSettings() {
  const query = useOperation('getStore', {});
  return (
    <Page
      title="Order settings"
      description="Which events are orders, and where they say what. When that changes, all events that there still are get read anew."
    >
      <Section title="Settings">
        <Loaded query={query}>{({ orders }) => orders && <Form settings={orders} />}</Loaded>
      </Section>
    </Page>
  );
}

function Form({ settings }: { settings: Settings }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [values, setValues] = useState(settings);
  const saving = useMutation({
    mutationFn: () => client.updateStore({ orders: values }),
    onSuccess: async (after) => {
      queryClient.setQueryData(['getStore', {}], after);
      notifications.show({ title: 'Orders', message: 'The settings are saved; the events are read anew.' });
      await queryClient.invalidateQueries({ queryKey: ['getRevenue'] });
    },
  });
  const refused = saving.error instanceof FootfallError ? saving.error : undefined;
  /** Also of what a list has. */
  const wrong = (name: string) =>
    refused?.field?.replace(/\[\d+\]$/, '') === `orders.${name}` ? refused.message : undefined;
  const isShown = FIELDS.some(({ name }) => wrong(name) !== undefined);
  return (
    <ActionForm
      verb="Save"
      failure="The settings were not saved"
      error={isShown ? null : saving.error}
      isPending={saving.isPending}
      onSubmit={saving.mutate}
    >
      {FIELDS.map(({ name, label, description }) => (
        <TagsInput
          key={name}
          label={label}
          description={description}
          maxTags={MOST}
          value={values[name]}
          onChange={(names) => setValues({ ...values, [name]: names })}
          error={wrong(name)}
        />
      ))}
    </ActionForm>
  );
}
