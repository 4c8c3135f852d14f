import { Select, type SelectProps } from '@mantine/core';

/** A choice of what a list is to show of something, kept in the address: see `useFilters`. */
export function FilterSelect<Name extends string>({
  name,
  filters,
  change,
  ...props
}: Omit<SelectProps, 'name' | 'value' | 'onChange'> & {
  name: Name;
  filters: { readonly [One in Name]?: string | undefined };
  change: (filters: { [One in Name]?: string | undefined }) => void;
}) {
  return (
    <Select
      value={filters[name] ?? null}
      onChange={(value) => change({ [name]: value ?? undefined } as { [One in Name]?: string | undefined })}
      clearable
      {...props}
    />
  );
}
