import { Select, type SelectProps } from '@mantine/core';
import { useAudiences } from './use-names.ts';

/** Chooses one of the store's lists or segments. */
export function AudienceSelect({
  kind,
  value,
  onChange,
  ...look
}: {
  kind: 'list' | 'segment';
  value: string;
  onChange: (id: string) => void;
} & Pick<SelectProps, 'label' | 'aria-label' | 'size' | 'maw' | 'required'>) {
  const { lists, segments } = useAudiences();
  const known = (kind === 'list' ? lists : segments).map(({ id, name }) => ({ value: id, label: name }));
  // One that is named still has to be shown: while the names are read, and after it was deleted.
  const isUnknown = value !== '' && known.every((one) => one.value !== value);
  return (
    <Select
      {...look}
      placeholder={kind === 'list' ? 'Choose a list' : 'Choose a segment'}
      data={isUnknown ? [...known, { value, label: value }] : known}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      allowDeselect={false}
      searchable
      w={260}
    />
  );
}
