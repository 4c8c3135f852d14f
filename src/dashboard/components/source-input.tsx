import { Anchor, List, Stack, Text, Textarea, type TextareaProps } from '@mantine/core';
import { useRef } from 'react';
import classes from './monospace.module.css';

/** What is wrong at a place of a text. */
export interface PlacedProblem {
  message: string;
  /** Characters before it. */
  offset: number;
}

/** The text of a definition or a template, with its problems at their lines, to which one can go. */
export function SourceInput({
  value,
  onChange,
  problems,
  ...props
}: Omit<TextareaProps, 'value' | 'onChange'> & {
  value: string;
  onChange: (text: string) => void;
  problems: readonly PlacedProblem[];
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const goTo = (offset: number) => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset);
  };
  return (
    <Stack>
      <Textarea
        ref={area}
        autosize
        minRows={16}
        maxRows={34}
        spellCheck={false}
        classNames={{ input: classes.text }}
        {...props}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {problems.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            Problems at their lines
          </Text>
          <List size="sm" aria-label="Problems at their lines">
            {problems.map(({ message, offset }) => (
              <List.Item key={`${offset} ${message}`} style={{ overflowWrap: 'anywhere' }}>
                <Anchor component="button" type="button" inherit underline="always" onClick={() => goTo(offset)}>
                  Line {lineAt(value, offset)}
                </Anchor>
                : {message}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}

/** The line of an offset, from 1 on. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The offset of a line and the character of it, both from 1 on. */
export function offsetAt(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}
