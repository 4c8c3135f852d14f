import { ActionIcon, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { emptyLeaf, type Form, KINDS, type Kind, kindOf, newRow, type Row } from './conditions.ts';
import { LeafFields } from './leaf-fields.tsx';

const choices = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** Conditions that read as a sentence about a customer: who did this, and has that. */
export function ConditionForm({ form, onChange }: { form: Form; onChange: (form: Form) => void }) {
  const { joined, rows } = form;
  const replace = (row: Row) => onChange({ joined, rows: rows.map((one) => (one.key === row.key ? row : one)) });
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text size="sm">A customer belongs to it for whom</Text>
        <Select
          aria-label="How many conditions"
          size="xs"
          w={190}
          allowDeselect={false}
          data={[
            { value: 'all', label: 'all of these are true' },
            { value: 'any', label: 'any of these is true' },
          ]}
          value={joined}
          onChange={(value) => onChange({ joined: value as Form['joined'], rows })}
        />
      </Group>
      {rows.map((row, index) => (
        <Condition
          key={row.key}
          row={row}
          label={`Condition ${index + 1}`}
          onChange={replace}
          {...(rows.length > 1 && {
            onRemove: () => onChange({ joined, rows: rows.filter(({ key }) => key !== row.key) }),
          })}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => onChange({ joined, rows: [...rows, newRow(emptyLeaf('event'))] })}
        >
          Add a condition
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        A comparison with something that is not set is false. With “not”, “is not” and “is none of” it is the other way
        round, so these are true where nothing is set.
      </Text>
    </Stack>
  );
}

function Condition({
  row,
  label,
  onChange,
  onRemove,
}: {
  row: Row;
  label: string;
  onChange: (row: Row) => void;
  onRemove?: () => void;
}) {
  return (
    <Paper component="fieldset" p="sm" withBorder aria-label={label} m={0}>
      <Group gap="xs" align="flex-end" wrap="wrap">
        <Select
          aria-label={`${label}: whether it is true`}
          size="xs"
          w={150}
          allowDeselect={false}
          data={[
            { value: 'is', label: 'the customer' },
            { value: 'not', label: 'not: the customer' },
          ]}
          value={row.isNegated ? 'not' : 'is'}
          onChange={(value) => onChange({ ...row, isNegated: value === 'not' })}
        />
        <Select
          aria-label={`${label}: what is asked`}
          size="xs"
          w={180}
          allowDeselect={false}
          data={choices(KINDS)}
          value={kindOf(row.leaf)}
          onChange={(value) => onChange({ ...row, leaf: emptyLeaf(value as Kind) })}
        />
        <LeafFields leaf={row.leaf} label={label} onChange={(leaf) => onChange({ ...row, leaf })} />
        {onRemove && (
          <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
            <TrashIcon />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}
