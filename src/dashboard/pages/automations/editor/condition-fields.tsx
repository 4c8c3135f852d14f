import { Button, Fieldset, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import type { Condition } from '../../../../client/index.ts';
import { conditionWords } from '../words/conditions.ts';
import { ConditionRow } from './condition-row.tsx';
import { conditionOf, newLeaf, rowsOf, type Subject } from './condition-rows.ts';

/** A condition as rows, of which all or any have to hold. `of` is what it may look at, the usual first. */
export function ConditionFields({
  label,
  value,
  onChange,
  of,
}: {
  label: string;
  value: Condition | undefined;
  onChange: (condition: Condition | undefined) => void;
  of: readonly [Subject, ...Subject[]];
}) {
  const rows = rowsOf(value);
  if (!rows) {
    return (
      <Fieldset legend={label}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{value && conditionWords(value)}</Text>
          <Text size="sm" c="dimmed">
            Conditions within conditions are edited as JSON.
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => onChange(undefined)}>
            Remove the condition
          </Button>
        </Stack>
      </Fieldset>
    );
  }
  const { by, leaves } = rows;
  const change = (changed: typeof leaves) => onChange(conditionOf({ by, leaves: changed }));
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {leaves.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={`${label}: how many`}
            data={[
              { value: 'all', label: 'All of these' },
              { value: 'any', label: 'Any of these' },
            ]}
            value={by}
            onChange={(chosen) => onChange(conditionOf({ by: chosen as typeof by, leaves }))}
          />
        )}
        {leaves.map((leaf, n) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state of their own
            key={n}
            label={`${label}, condition ${n + 1}`}
            leaf={leaf}
            of={of}
            onChange={(changed) => change(leaves.with(n, changed))}
            onRemove={() => change(leaves.toSpliced(n, 1))}
          />
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() => change([...leaves, newLeaf(of[0])])}
          >
            Add a condition
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
