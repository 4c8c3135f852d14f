import { Fieldset, PasswordInput, TextInput } from '@mantine/core';
import type { SecretHeaderInput } from '../../../client/index.ts';
import { Several } from '../../components/several.tsx';

type Headers = SecretHeaderInput[];

/** Headers that each request has; a value that is kept is not shown, and stays where none is given. */
export function SecretHeaders({ value, onChange }: { value: Headers; onChange: (value: Headers) => void }) {
  return (
    <Fieldset legend="Secret headers">
      <Several<SecretHeaderInput>
        label="Header"
        items={value}
        onChange={onChange}
        add={{ 'Add a header': () => ({ name: 'Authorization', value: '' }) }}
        render={(header, change) => (
          <>
            <TextInput
              label="Name"
              maxLength={100}
              value={header.name}
              onChange={({ currentTarget }) => change({ ...header, name: currentTarget.value })}
            />
            <PasswordInput
              label="Value"
              description={header.value == null ? 'It is kept, unless you give another one.' : undefined}
              autoComplete="off"
              maxLength={4_000}
              value={header.value ?? ''}
              onChange={({ currentTarget }) => change({ ...header, value: currentTarget.value })}
            />
          </>
        )}
      />
    </Fieldset>
  );
}
