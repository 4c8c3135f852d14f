import { Select, type SelectProps } from '@mantine/core';
import { useSenders } from './use-senders.ts';

/** Chooses one of the store's senders. */
export function SenderSelect({
  value,
  onChange,
  ...look
}: { value: string; onChange: (id: string) => void } & Pick<
  SelectProps,
  'label' | 'description' | 'error' | 'placeholder' | 'w' | 'disabled'
>) {
  const known = (useSenders() ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // One that is named still has to be shown: while the names are read, and after it was deleted.
  const isUnknown = value !== '' && known.every((one) => one.value !== value);
  return (
    <Select
      label="Sender"
      placeholder="Any sender"
      {...look}
      data={isUnknown ? [...known, { value, label: value }] : known}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      clearable
    />
  );
}
