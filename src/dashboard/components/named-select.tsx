import { Select, type SelectProps, TextInput } from '@mantine/core';

/** Something that is chosen by its name, and known by its id. */
export interface Named {
  id: string;
  name: string;
}

/**
 * Chooses one of those that are known, by its name; undefined while they are read. One that is chosen is shown though it is
 * not among them. Whose key can't list them gives the id.
 */
export function NamedSelect({
  known,
  mayList,
  value,
  onChange,
  placeholder,
  description,
  ...look
}: {
  known: readonly Named[] | undefined;
  mayList: boolean;
  value: string;
  /** Is told nothing (`''`) where that is chosen. */
  onChange: (id: string) => void;
} & Pick<
  SelectProps,
  'label' | 'description' | 'required' | 'error' | 'placeholder' | 'w' | 'disabled' | 'clearable'
>) {
  if (!mayList) {
    const { clearable: _, ...others } = look;
    return (
      <TextInput
        {...others}
        description={<>{description} Give its id: your key does not allow to list them.</>}
        maxLength={64}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    );
  }
  const data = (known ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isUnknown = value !== '' && data.every((one) => one.value !== value);
  return (
    <Select
      {...look}
      description={description}
      placeholder={placeholder}
      data={isUnknown ? [...data, { value, label: known ? `${value} (not there)` : value }] : data}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      allowDeselect={look.clearable ?? false}
      searchable
    />
  );
}
