import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpointInput } from '../../../client/index.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { SecretHeaders } from './secret-headers.tsx';

export type EndpointValues = Required<Omit<WebhookEndpointInput, 'idempotency_key'>>;

const USUAL: EndpointValues = { url: '', name: '', max_per_second: 50, max_concurrent: 10, secret_headers: [] };
/** The fields that a refusal can name. */
const FIELDS: readonly string[] = Object.keys(USUAL);

/** Where to send, and how fast; what the service refuses is said at its field. */
export function EndpointForm({
  initial = USUAL,
  onSubmit,
  error,
  isPending,
  submit,
}: {
  initial?: EndpointValues;
  onSubmit: (values: EndpointValues) => void;
  error: Error | null;
  isPending: boolean;
  /** The text of the button. */
  submit: string;
}) {
  const [values, setValues] = useState(initial);
  const set = (change: Partial<EndpointValues>) => setValues((before) => ({ ...before, ...change }));
  const { wrong, rest } = refusalOf(error, FIELDS);
  const send = () => onSubmit({ ...values, url: values.url.trim(), name: values.name.trim() });
  return (
    <ActionForm
      verb={submit}
      failure="The endpoint was not saved"
      error={rest}
      isPending={isPending}
      isDisabled={values.name.trim() === '' || values.url.trim() === ''}
      onSubmit={send}
    >
      <TextInput
        label="Name"
        description="What receives, such as the system that writes to customers."
        required
        maxLength={100}
        data-autofocus
        value={values.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={wrong('name')}
      />
      <TextInput
        label="URL"
        description="It begins with https, and leads to a public address. Messages that wait go to it, too, if it is changed."
        placeholder="https://hooks.shop.example/footfall"
        required
        maxLength={2048}
        value={values.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        error={wrong('url')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Requests in a second"
          description="At most"
          min={1}
          max={1_000}
          allowDecimal={false}
          value={values.max_per_second}
          onChange={(value) => set({ max_per_second: value })}
          error={wrong('max_per_second')}
        />
        <NumberField
          label="Requests at a time"
          description="At most"
          min={1}
          max={100}
          allowDecimal={false}
          value={values.max_concurrent}
          onChange={(value) => set({ max_concurrent: value })}
          error={wrong('max_concurrent')}
        />
      </SimpleGrid>
      <SecretHeaders value={values.secret_headers} onChange={(secret_headers) => set({ secret_headers })} />
    </ActionForm>
  );
}
