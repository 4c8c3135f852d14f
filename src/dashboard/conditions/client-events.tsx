import { Checkbox } from '@mantine/core';
import { useContext } from 'react';
import { Place } from './place.ts';

/** Whether what anybody can send counts, too: events of pages and apps, with a public key. */
export function ClientEvents({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean | undefined;
  onChange: (value: boolean | undefined) => void;
}) {
  const byDefault = useContext(Place).takesClientEvents;
  return (
    <Checkbox
      label={label}
      description="With a public key, as anybody can."
      checked={value ?? byDefault}
      onChange={({ currentTarget: { checked } }) => onChange(checked === byDefault ? undefined : checked)}
    />
  );
}
