import { Autocomplete, type AutocompleteProps, Group, Text } from '@mantine/core';
import { count } from '../components/numbers.ts';
import type { Recorded } from './recorded.ts';

/** A text, for which what was recorded is offered, with how often it was; anything else can be typed, too. */
export function RecordedInput({
  recorded,
  ...props
}: { recorded: readonly Recorded[] } & Omit<AutocompleteProps, 'data'>) {
  const counts = new Map(recorded.map((one) => [one.name, one.count]));
  return (
    <Autocomplete
      data={[...counts.keys()]}
      limit={50}
      maxDropdownHeight={260}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      renderOption={({ option: { value } }) => (
        <Group justify="space-between" gap="lg" wrap="nowrap" w="100%">
          <Text size="sm" maw={320} truncate>
            {value}
          </Text>
          <Text size="xs" c="dimmed">
            {count(counts.get(value) ?? 0)}
          </Text>
        </Group>
      )}
      {...props}
    />
  );
}
