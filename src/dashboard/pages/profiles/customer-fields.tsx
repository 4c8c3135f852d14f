import { Group, Select, TextInput } from '@mantine/core';

/** A customer as somebody names one. */
export interface NamedCustomer {
  kind: 'email' | 'phone' | 'external_id';
  identifier: string;
}

const KINDS = [
  { value: 'email', label: 'E-mail' },
  { value: 'phone', label: 'Phone' },
  { value: 'external_id', label: 'External id' },
];

export const NOBODY: NamedCustomer = { kind: 'email', identifier: '' };

/** As the service takes it; undefined where nobody is named. */
export function referenceTo({ kind, identifier }: NamedCustomer): Record<string, string> | undefined {
  return identifier.trim() === '' ? undefined : { [kind]: identifier.trim() };
}

/** Names a customer by an identifier. */
export function CustomerFields({
  value,
  onChange,
  required = false,
  error,
}: {
  value: NamedCustomer;
  onChange: (value: NamedCustomer) => void;
  required?: boolean;
  error?: string | undefined;
}) {
  return (
    <Group gap="xs" align="flex-start">
      <Select
        label="Customer by"
        data={KINDS}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind: (kind ?? 'email') as NamedCustomer['kind'] })}
        allowDeselect={false}
        w={140}
      />
      <TextInput
        label="Which"
        required={required}
        maxLength={320}
        flex={1}
        miw={140}
        value={value.identifier}
        onChange={({ currentTarget }) => onChange({ ...value, identifier: currentTarget.value })}
        error={error}
      />
    </Group>
  );
}
