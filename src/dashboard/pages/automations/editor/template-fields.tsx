import { Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ValueTemplates } from '../../../../client/index.ts';
import { Several } from '../../../components/several.tsx';
import { KindSelect, TemplateField } from './template-field.tsx';

/** Values by name: fixed ones, those that are taken from the event or the customer, and what is worked out of them. */
export function TemplateFields({
  label,
  value,
  onChange,
}: {
  label: string;
  value: ValueTemplates;
  onChange: (value: ValueTemplates) => void;
}) {
  return (
    <Fieldset legend={label}>
      <Several<[name: string, template: unknown]>
        label="Value"
        items={Object.entries(value)}
        onChange={(entries) => onChange(Object.fromEntries(entries))}
        add={{ 'Add a value': () => [freeName(value), ''] }}
        render={([name, template], change) => {
          const changeValue = (to: unknown) => change([name, to]);
          return (
            <Stack gap="xs">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
                <TextInput
                  label="Name"
                  maxLength={255}
                  value={name}
                  // Two of one name would be one.
                  onChange={({ currentTarget: { value: to } }) => !(to in value) && change([to, template])}
                />
                <KindSelect value={template} onChange={changeValue} />
              </SimpleGrid>
              <TemplateField value={template} onChange={changeValue} />
            </Stack>
          );
        }}
      />
    </Fieldset>
  );
}

function freeName(value: ValueTemplates): string {
  for (let n = 1; ; n += 1) if (!(`name_${n}` in value)) return `name_${n}`;
}
