import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoreSettings as Settings, StoreUpdate } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Page } from '../../components/page.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useCaller } from '../../session/current-caller.tsx';
import { TIME_ZONES, timeZoneOf } from '../../session/time-zone.ts';
import { KeySignIn } from './key-sign-in.tsx';

const FIELDS = ['display_name', 'time_zone', 'currency', 'country', 'website_url', 'postal_address', 'history_days'];
const CURRENCIES = optionsOf('currency', Intl.supportedValuesOf('currency'));

/** What the store is called, and how it reckons. */
export function StoreSettings() {
  const query = useOperation('getStore', {});
  const isOwner = useCaller()?.role === 'owner';
  return (
    <Page title="Store" description="What customers know the store by, and how its times and amounts are meant.">
      <Section title="Settings">
        <Loaded query={query}>{(settings) => <Form settings={settings} />}</Loaded>
      </Section>
      {isOwner && (
        <Section title="Sign-in" mt="lg">
          <Loaded query={query}>{(settings) => <KeySignIn settings={settings} />}</Loaded>
        </Section>
      )}
    </Page>
  );
}

function Form({ settings }: { settings: Settings }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const { id: _, name, orders: _orders, key_sign_in: _key, requires_second_factor: _required, ...read } = settings;
  const [values, setValues] = useState<
    Required<Omit<StoreUpdate, 'orders' | 'key_sign_in' | 'requires_second_factor'>>
  >({
    ...read,
    time_zone: timeZoneOf(settings),
  });
  const change = (changed: StoreUpdate) => setValues({ ...values, ...changed });
  const saving = useMutation({
    mutationFn: () => client.updateStore(values),
    onSuccess: async (after) => {
      queryClient.setQueryData(['getStore', {}], after);
      notifications.show({ title: 'Store', message: 'The settings are saved.' });
      await queryClient.invalidateQueries({ queryKey: ['getCurrentApiKey'] });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, FIELDS);
  return (
    <ActionForm
      verb="Save"
      failure="The settings were not saved"
      error={rest}
      isPending={saving.isPending}
      onSubmit={saving.mutate}
    >
      <TextInput
        label="Name"
        description="In messages, and in the header of this page."
        placeholder={name}
        maxLength={255}
        value={values.display_name ?? ''}
        onChange={({ currentTarget }) => change({ display_name: currentTarget.value || null })}
        error={wrong('display_name')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label="Time zone"
          description="Of charts, and of dates in messages."
          searchable
          limit={50}
          data={TIME_ZONES}
          value={values.time_zone}
          onChange={(time_zone) => change({ time_zone })}
          error={wrong('time_zone')}
        />
        <Select
          label="Currency"
          description="Of amounts that say none."
          searchable
          clearable
          limit={50}
          data={CURRENCIES}
          value={values.currency}
          onChange={(currency) => change({ currency })}
          error={wrong('currency')}
        />
        <TextInput
          label="Country"
          description="Its code, such as GB."
          maxLength={2}
          value={values.country ?? ''}
          onChange={({ currentTarget }) => change({ country: currentTarget.value.toUpperCase() || null })}
          error={wrong('country')}
        />
      </SimpleGrid>
      <TextInput
        label="Website"
        placeholder="https://"
        maxLength={2048}
        value={values.website_url ?? ''}
        onChange={({ currentTarget }) => change({ website_url: currentTarget.value.trim() || null })}
        error={wrong('website_url')}
      />
      <Textarea
        label="Postal address"
        description="Marketing has to have it."
        autosize
        minRows={2}
        maxLength={500}
        value={values.postal_address ?? ''}
        onChange={({ currentTarget }) => change({ postal_address: currentTarget.value || null })}
        error={wrong('postal_address')}
      />
      <NumberField
        label="History of customers, in days"
        description="For how long to keep who changed what of a customer: 400 at most, 0 for none. Changes of customers then cost more."
        min={0}
        max={400}
        allowDecimal={false}
        value={values.history_days}
        onChange={(history_days) => change({ history_days })}
        error={wrong('history_days')}
      />
    </ActionForm>
  );
}

/** Codes, with their names in the viewer's language. */
function optionsOf(type: 'currency', codes: readonly string[]) {
  const names = new Intl.DisplayNames(undefined, { type });
  return codes.map((value) => ({ value, label: `${value}: ${names.of(value) ?? value}` }));
}
