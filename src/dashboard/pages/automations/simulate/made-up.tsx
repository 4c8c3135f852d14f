import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SimulationInput } from '../../../../client/index.ts';
import { objectIn } from '../../../components/json-object.ts';
import { JsonObjectInput } from '../../../components/json-object-input.tsx';
import { CustomerFields, NOBODY, referenceTo } from '../../profiles/customer-fields.tsx';

/** An occasion that never was, of a customer who is there. `hasProperties` where it is an event or a request. */
export function MadeUp({
  hasProperties,
  onSubmit,
  isPending,
}: {
  hasProperties: boolean;
  onSubmit: (input: SimulationInput) => void;
  isPending: boolean;
}) {
  const [customer, setCustomer] = useState(NOBODY);
  const [text, setText] = useState('{}');
  const profile = referenceTo(customer);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const properties = objectIn(text);
    if (profile && properties) onSubmit({ profile, ...(hasProperties && { properties }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <CustomerFields required value={customer} onChange={setCustomer} />
        {hasProperties && (
          <JsonObjectInput label="Properties of the event as JSON" minRows={3} value={text} onChange={setText} />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!profile}>
            Simulate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
