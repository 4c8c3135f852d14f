import { Autocomplete, Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ValueTemplates } from '../../../../client/index.ts';
import { Several } from '../../../components/several.tsx';
import { asType, type One } from '../../../components/values.ts';
import { SingleValue } from '../../../conditions/value-fields.tsx';

type Kind = 'from' | 'liquid' | 'text' | 'number' | 'boolean' | 'other';
const KINDS: Readonly<Record<Kind, string>> = {
  from: 'taken from',
  liquid: 'text with values',
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  other: 'other (edited as JSON)',
};

/** What references often begin with or are; what follows a dot at the end is up to the store. */
const PATHS: string[] = [
  'event.properties.',
  'event.id',
  'event.event_type',
  'event.occurred_at',
  'profile.id',
  'profile.identifiers.email',
  'profile.identifiers.phone',
  'profile.identifiers.external_id',
  'profile.attributes.',
  'steps.',
  'run.id',
  'run.key',
];

/** Values by name: fixed ones, and those that are taken from the event or the customer. */
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
          const kind = kindOf(template);
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
                <Select
                  label="Kind"
                  data={Object.entries(KINDS)
                    .filter(([of]) => of !== 'other' || kind === 'other')
                    .map(([of, words]) => ({ value: of, label: words }))}
                  value={kind}
                  onChange={(to) => to && change([name, asTemplate(template, to as Kind)])}
                  allowDeselect={false}
                />
              </SimpleGrid>
              {kind === 'from' ? (
                <Autocomplete
                  label="Path"
                  description="Such as event.properties.order_id or profile.attributes.first_name."
                  data={PATHS}
                  value={pathOf(template)}
                  onChange={(path) => change([name, { from: path }])}
                />
              ) : kind === 'liquid' ? (
                <TextInput
                  label="Text"
                  description="Such as Hello {{ profile.attributes.first_name }}."
                  maxLength={4_000}
                  value={(template as { liquid: string }).liquid}
                  onChange={({ currentTarget }) => change([name, { liquid: currentTarget.value }])}
                />
              ) : kind === 'other' ? (
                <TextInput label="Value" value={JSON.stringify(template)} readOnly />
              ) : (
                <SingleValue label="Value" value={template as One} onChange={(to) => change([name, to])} />
              )}
            </Stack>
          );
        }}
      />
    </Fieldset>
  );
}

function kindOf(template: unknown): Kind {
  if (typeof template === 'string') return 'text';
  if (typeof template === 'number' || typeof template === 'boolean') return typeof template as 'number' | 'boolean';
  return isOnly(template, 'from') ? 'from' : isOnly(template, 'liquid') ? 'liquid' : 'other';
}

function isOne(template: unknown): template is One {
  return ['string', 'number', 'boolean'].includes(typeof template);
}

/** Whether it is an object with one member, which is a text. */
function isOnly<Name extends string>(template: unknown, name: Name): template is Record<Name, string> {
  if (template === null || typeof template !== 'object') return false;
  return Object.keys(template).join() === name && typeof (template as Record<string, unknown>)[name] === 'string';
}

function pathOf(template: unknown): string {
  return isOnly(template, 'from') ? template.from : '';
}

function asTemplate(template: unknown, kind: Kind): unknown {
  if (kind === 'other') return template;
  if (kind === 'liquid') return { liquid: typeof template === 'string' ? template : '' };
  return kind === 'from' ? { from: 'event.properties.' } : asType(isOne(template) ? template : '', kind);
}

function freeName(value: ValueTemplates): string {
  for (let n = 1; ; n += 1) if (!(`name_${n}` in value)) return `name_${n}`;
}
