import { Anchor, Select, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { useAllows } from '../../../session/current-caller.tsx';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';

/** Chooses an endpoint by its name; whose key can't list them gives its id. */
export function EndpointSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const mayList = useAllows('webhooks:manage');
  const { data } = useEndpoints();
  if (!mayList) {
    return (
      <TextInput
        label="Webhook endpoint"
        description="Its id: your key does not allow to list endpoints."
        maxLength={64}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const known = (data?.endpoints ?? []).map(({ id, name, status }) => ({
    value: id,
    label: status === 'disabled' ? `${name} (disabled)` : name,
  }));
  const isKnown = value === '' || known.some((one) => one.value === value);
  return (
    <Select
      label="Webhook endpoint"
      placeholder="Choose one"
      description={
        data?.endpoints.length === 0 && (
          <>
            There is none yet.{' '}
            <Anchor component={Link} to="/webhooks" inherit underline="always">
              Create one
            </Anchor>
          </>
        )
      }
      data={isKnown ? known : [...known, { value, label: data ? `${value} (not there)` : value }]}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      allowDeselect={false}
    />
  );
}
