import type { ValueName } from '../../../../client/index.ts';
import type { Recorded } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';

const WITHIN = ' > ';

/** The name of a property or an attribute, or the way to a value within one. Names may have dots. */
export function NameInput({
  label,
  value,
  onChange,
  placeholder,
  recorded,
}: {
  label: string;
  value: ValueName;
  onChange: (name: ValueName) => void;
  placeholder?: string;
  recorded: readonly Recorded[];
}) {
  return (
    <RecordedInput
      recorded={recorded}
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      title={`A value within another: cart${WITHIN}id`}
      flex={1}
      miw={140}
      value={typeof value === 'string' ? value : value.join(WITHIN)}
      onChange={(text) => onChange(text.includes(WITHIN) ? text.split(WITHIN) : text)}
    />
  );
}
