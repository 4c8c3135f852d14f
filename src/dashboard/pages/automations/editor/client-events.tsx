import { Checkbox } from '@mantine/core';
import { createContext, useContext } from 'react';

const ByDefault = createContext(false);

/** Says of the automation within whether it takes events of public keys where its definition leaves that open. */
export const TakesClientEvents = ByDefault.Provider;

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
  const byDefault = useContext(ByDefault);
  return (
    <Checkbox
      label={label}
      description="With a public key, as anybody can."
      checked={value ?? byDefault}
      onChange={({ currentTarget: { checked } }) => onChange(checked === byDefault ? undefined : checked)}
    />
  );
}
