import { Textarea, type TextareaProps } from '@mantine/core';
import { objectIn } from './json-object.ts';
import classes from './monospace.module.css';

/** An object as JSON, as it is typed; says where it is none. */
export function JsonObjectInput({
  value,
  onChange,
  error,
  ...props
}: Omit<TextareaProps, 'value' | 'onChange'> & { value: string; onChange: (text: string) => void }) {
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      classNames={{ input: classes.text }}
      {...props}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={objectIn(value) ? error : 'This is not an object of JSON'}
    />
  );
}
