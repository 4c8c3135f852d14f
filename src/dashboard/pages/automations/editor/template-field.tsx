import { Autocomplete, Select, Stack, TextInput } from '@mantine/core';
import { Several } from '../../../components/several.tsx';
import { asType, type One } from '../../../components/values.ts';
import { SingleValue } from '../../../conditions/value-fields.tsx';
import { OPERATIONS, type Operation, operandsIn } from '../words/computations.ts';

type Kind = 'from' | 'liquid' | 'compute' | 'text' | 'number' | 'boolean' | 'other';
const KINDS: Readonly<Record<Kind, string>> = {
  from: 'taken from',
  liquid: 'text with values',
  compute: 'worked out',
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

interface Props {
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Of which kind a value is: fixed, taken from somewhere, or made of others. */
export function KindSelect({ value, onChange, within = false }: Props & { within?: boolean }) {
  const kind = kindOf(value);
  return (
    <Select
      label="Kind"
      // What is worked out of values that are worked out is edited as JSON.
      data={(Object.entries(KINDS) as [Kind, string][])
        .filter(([of]) => of === kind || (of !== 'other' && !(within && of === 'compute')))
        .map(([of, words]) => ({ value: of, label: words }))}
      value={kind}
      onChange={(to) => to && onChange(asTemplate(value, to as Kind))}
      allowDeselect={false}
    />
  );
}

/** The value itself, by its kind. */
export function TemplateField({ value, onChange }: Props) {
  switch (kindOf(value)) {
    case 'from':
      return (
        <Autocomplete
          label="Path"
          description="Such as event.properties.order_id or profile.attributes.first_name."
          data={PATHS}
          value={pathOf(value)}
          onChange={(path) => onChange({ from: path })}
        />
      );
    case 'liquid':
      return (
        <TextInput
          label="Text"
          description="Such as Hello {{ profile.attributes.first_name }}."
          maxLength={4_000}
          value={(value as { liquid: string }).liquid}
          onChange={({ currentTarget }) => onChange({ liquid: currentTarget.value })}
        />
      );
    case 'compute':
      return <ComputedFields value={value} onChange={onChange} />;
    case 'other':
      return <TextInput label="Value" value={JSON.stringify(value)} readOnly />;
    default:
      return <SingleValue label="Value" value={value as One} onChange={onChange} />;
  }
}

/** What is worked out, and of which values. */
function ComputedFields({ value, onChange }: Props) {
  const { operation, operands } = operandsIn(value) ?? { operation: 'add' as const, operands: [] };
  const { least, most } = OPERATIONS[operation];
  const withOperands = (to: readonly unknown[]) => onChange({ compute: { [operation]: to } });
  return (
    <>
      <Select
        label="What is worked out"
        allowDeselect={false}
        data={Object.entries(OPERATIONS).map(([name, { words }]) => ({ value: name, label: words }))}
        value={operation}
        onChange={(to) => {
          const { least: fewest, most: greatest } = OPERATIONS[to as Operation];
          const lacking = Array.from({ length: Math.max(0, fewest - operands.length) }, () => 0);
          onChange({ compute: { [to as Operation]: [...operands.slice(0, greatest), ...lacking] } });
        }}
      />
      <Several<unknown>
        label="Part"
        items={operands}
        onChange={withOperands}
        atLeast={least}
        atMost={most}
        add={{ 'Add a part': () => 0 }}
        render={(one, change) => (
          <Stack gap="xs">
            <KindSelect value={one} onChange={change} within />
            {kindOf(one) === 'compute' ? (
              <TextInput label="Value" value={JSON.stringify(one)} readOnly />
            ) : (
              <TemplateField value={one} onChange={change} />
            )}
          </Stack>
        )}
      />
    </>
  );
}

function kindOf(template: unknown): Kind {
  if (typeof template === 'string') return 'text';
  if (typeof template === 'number' || typeof template === 'boolean') return typeof template as 'number' | 'boolean';
  if (operandsIn(template)) return 'compute';
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
  if (kind === 'compute') return { compute: { add: [{ from: 'profile.attributes.' }, 1] } };
  return kind === 'from' ? { from: 'event.properties.' } : asType(isOne(template) ? template : '', kind);
}
