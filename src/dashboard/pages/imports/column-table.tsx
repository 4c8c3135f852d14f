import { Group, Select, Text, TextInput } from '@mantine/core';
import type { ImportPreview } from '../../../client/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import { type Choice, TARGETS, type Target, type Type, typesOf } from './columns.ts';

const optionsOf = (words: object) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** Each column of the file with a value of it, and what becomes of it. */
export function ColumnTable({
  columns,
  choices,
  onChange,
  wrong,
}: {
  columns: ImportPreview['columns'];
  choices: readonly Choice[];
  onChange: (choices: Choice[]) => void;
  /** What the service says of a column. */
  wrong: { column: string; message: string } | undefined;
}) {
  const rows = columns.flatMap((column, place) => {
    const choice = choices[place];
    return choice ? { ...column, choice, place, key: String(place) } : [];
  });
  return (
    <DataTable
      label="Columns"
      file={null}
      columns={[
        {
          header: 'Column',
          isWholeLine: true,
          render: ({ column }) => (
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {column || '(without a name)'}
            </Text>
          ),
        },
        {
          header: 'For example',
          render: ({ sample, becomes }) => (
            <Text size="sm" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
              {sample ?? '–'}
              {becomes !== null && becomes !== sample && ` → ${becomes}`}
            </Text>
          ),
        },
        {
          header: 'Becomes',
          width: '56%',
          isWholeLine: true,
          render: ({ column, suggestion, choice, place }) =>
            suggestion === null ? (
              <Text size="sm" c="dimmed">
                It has no name of its own, and is left out.
              </Text>
            ) : (
              <Becomes
                choice={choice}
                onChange={(changed) => onChange(choices.with(place, changed))}
                error={wrong?.column === column ? wrong.message : undefined}
              />
            ),
        },
      ]}
      rows={rows}
      rowKey={({ key }) => key}
      minWidth={720}
    />
  );
}

function Becomes({
  choice,
  onChange,
  error,
}: {
  choice: Choice;
  onChange: (choice: Choice) => void;
  error: string | undefined;
}) {
  const { column, target, attribute, type } = choice;
  const types = typesOf(target);
  return (
    <>
      <Group gap="xs">
        <Select
          aria-label={`${column}: becomes`}
          size="xs"
          w={150}
          allowDeselect={false}
          data={optionsOf(TARGETS)}
          value={target}
          error={error !== undefined}
          onChange={(value) => onChange({ ...choice, target: value as Target })}
        />
        {target === 'attribute' && (
          <TextInput
            aria-label={`${column}: name of the attribute`}
            size="xs"
            w={150}
            maxLength={1024}
            value={attribute}
            onChange={({ currentTarget }) => onChange({ ...choice, attribute: currentTarget.value })}
          />
        )}
        {types && (
          <Select
            aria-label={`${column}: type`}
            size="xs"
            w={130}
            allowDeselect={false}
            data={optionsOf(types)}
            value={type in types ? type : 'date_ymd'}
            onChange={(value) => onChange({ ...choice, type: value as Type })}
          />
        )}
      </Group>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
    </>
  );
}
