import { Checkbox, ColorInput, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import classes from '../../../../components/monospace.module.css';
import { withOptional } from '../../../../components/with-optional.ts';
import { type BlockField, RECOMMENDATIONS } from './block-types.ts';

type Values = Readonly<Record<string, unknown>>;

const withField = <Of extends object>(object: Of, name: string, value: unknown): Of =>
  withOptional(object as Record<string, unknown>, name, value) as Of;

const ALIGNS = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'In the middle' },
  { value: 'right', label: 'Right' },
];
const LEVELS = [
  { value: '1', label: 'Large' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Small' },
];
const SMALL: readonly BlockField['input'][] = ['color', 'align', 'number', 'switch', 'level'];

/** The fields of an object by their descriptions; small ones stand side by side. */
export function Fields<Of extends object>({
  fields,
  value,
  onChange,
}: {
  fields: readonly BlockField[];
  value: Of;
  onChange: (value: Of) => void;
}) {
  const values = value as Values;
  const render = (field: BlockField) => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name]}
      onChange={(to) => onChange(withField(value, field.name, to))}
    />
  );
  const isShown = ({ name, onlyFor = {} }: BlockField) =>
    values[name] !== undefined || Object.entries(onlyFor).every(([other, wanted]) => values[other] === wanted);
  const shown = fields.filter(isShown);
  const isSmall = ({ input }: BlockField) => SMALL.includes(input);
  return (
    <>
      {shown.filter((field) => !isSmall(field)).map(render)}
      {shown.some(isSmall) && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {shown.filter(isSmall).map(render)}
        </SimpleGrid>
      )}
    </>
  );
}

function Field({
  field: { label, description, input, isOptional, usually = false, placeholder, maxLength, min, max },
  value,
  onChange,
}: {
  field: BlockField;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const text = typeof value === 'string' ? value : '';
  const changeText = (to: string) => onChange(to === '' && isOptional ? undefined : to);
  const common = { label, description, placeholder };
  switch (input) {
    case 'line':
      return (
        <TextInput
          {...common}
          maxLength={maxLength}
          value={text}
          onChange={({ currentTarget }) => changeText(currentTarget.value)}
        />
      );
    case 'text':
    case 'code':
      return (
        <Textarea
          {...common}
          maxLength={maxLength}
          autosize
          minRows={3}
          maxRows={16}
          {...(input === 'code' && { spellCheck: false, classNames: { input: classes.text } })}
          value={text}
          onChange={({ currentTarget }) => changeText(currentTarget.value)}
        />
      );
    case 'color':
      return (
        <ColorInput
          {...common}
          placeholder="As usual"
          format="hex"
          withEyeDropper={false}
          value={text}
          onChange={changeText}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          allowDecimal={false}
          value={typeof value === 'number' ? value : ''}
          onChange={(to) => (typeof to === 'number' ? onChange(to) : isOptional && onChange(undefined))}
        />
      );
    case 'switch':
      return (
        <Checkbox
          label={label}
          checked={value === undefined ? usually : value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked === usually ? undefined : checked)}
        />
      );
    case 'recommendation':
      return (
        <Select
          {...common}
          data={Object.entries(RECOMMENDATIONS).map(([kind, words]) => ({ value: kind, label: words }))}
          allowDeselect={false}
          value={text}
          onChange={onChange}
        />
      );
    case 'align':
    case 'level':
      return (
        <Select
          {...common}
          placeholder="As usual"
          data={input === 'align' ? ALIGNS : LEVELS}
          clearable
          value={value === undefined ? null : String(value)}
          onChange={(to) => onChange(to === null ? undefined : input === 'level' ? Number(to) : to)}
        />
      );
  }
}
