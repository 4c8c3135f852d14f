import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SimulationInput } from '../../../../client/index.ts';
import { objectIn } from './assumptions.ts';

type Kind = 'email' | 'phone' | 'external_id';
const KINDS = [
  { value: 'email', label: 'E-mail' },
  { value: 'phone', label: 'Phone' },
  { value: 'external_id', label: 'External id' },
];

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
  const [kind, setKind] = useState<Kind>('email');
  const [identifier, setIdentifier] = useState('');
  const [properties, setProperties] = useState('{}');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = objectIn(properties);
    setProblem(read === undefined ? 'This is not an object of JSON' : undefined);
    if (read) onSubmit({ profile: { [kind]: identifier.trim() }, ...(hasProperties && { properties: read }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group gap="xs" align="flex-end">
          <Select
            label="Customer by"
            data={KINDS}
            value={kind}
            onChange={(chosen) => setKind((chosen ?? 'email') as Kind)}
            allowDeselect={false}
            w={140}
          />
          <TextInput
            label="Which"
            required
            maxLength={255}
            flex={1}
            value={identifier}
            onChange={({ currentTarget }) => setIdentifier(currentTarget.value)}
          />
        </Group>
        {hasProperties && (
          <Textarea
            label="Properties of the event as JSON"
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={properties}
            onChange={({ currentTarget }) => setProperties(currentTarget.value)}
            error={problem}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={identifier.trim() === ''}>
            Simulate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
