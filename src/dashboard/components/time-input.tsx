import { TextInput, type TextInputProps } from '@mantine/core';

/** A point in time, in the viewer's zone; as text in UTC, or empty. */
export function TimeInput({
  value,
  onChange,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange' | 'type'> & { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      type="datetime-local"
      value={toLocal(value)}
      onChange={({ currentTarget }) => onChange(toUtc(currentTarget.value))}
      {...props}
    />
  );
}

/** For a field of the browser, which knows no zones. */
function toLocal(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toUtc(local: string): string {
  return local === '' ? '' : new Date(local).toISOString();
}
