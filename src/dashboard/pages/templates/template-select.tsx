import { Select, type SelectProps } from '@mantine/core';
import type { TemplateSummary } from '../../../client/index.ts';
import { useTemplates } from './use-templates.ts';

/** Chooses a template of messages; by default one of all that were published, or may have been. */
export function TemplateSelect({
  value,
  onChange,
  fits = ({ use, version }) => use === 'message' && version !== null,
  ...look
}: {
  value: string;
  onChange: (id: string) => void;
  fits?: (template: TemplateSummary) => boolean;
} & Pick<SelectProps, 'label' | 'description' | 'required' | 'error' | 'placeholder' | 'w'>) {
  const known = (useTemplates() ?? [])
    .filter((template) => fits(template) || template.id === value)
    .map(({ id, name }) => ({ value: id, label: name }));
  // While they are read, too, the one that is chosen is shown.
  const isUnknown = value !== '' && known.every((one) => one.value !== value);
  return (
    <Select
      label="Template"
      placeholder="Any template"
      {...look}
      data={isUnknown ? [...known, { value, label: value }] : known}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      clearable
      searchable
    />
  );
}
