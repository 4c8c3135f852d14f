import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { Choice } from './choice.tsx';
import {
  type By,
  emptyLeaf,
  type Form,
  isGroup,
  KINDS,
  kindOf,
  newGroup,
  newRow,
  type Part,
  type Row,
} from './conditions.ts';
import { LeafFields } from './leaf-fields.tsx';

/** Groups within groups that are offered: with the conditions in them, the service takes five levels. */
const MAX_DEPTH = 4;
const WHETHER = { is: 'the customer', not: 'not: the customer' };
const HOW_MANY: Record<By, string> = {
  all: 'all of these are true',
  any: 'any of these is true',
  none: 'none of these is true',
  not_all: 'not all of these are true',
};

/** What is to be said at conditions, by their keys. */
export type Notes = ReadonlyMap<number, readonly { text: string; isError: boolean }[]>;

/** Conditions that read as a sentence about a customer: who did this, and has that. */
export function ConditionForm({ form, notes, onChange }: { form: Form; notes: Notes; onChange: (form: Form) => void }) {
  return (
    <Stack gap="sm">
      <GroupFields form={form} notes={notes} label="" depth={1} onChange={onChange} />
      <Text size="xs" c="dimmed">
        A comparison with something that is not set is false. With “not”, “is not” and “is none of” it is the other way
        round, so these are true where nothing is set.
      </Text>
    </Stack>
  );
}

function GroupFields({
  form,
  notes,
  label,
  depth,
  onChange,
}: {
  form: Form;
  notes: Notes;
  /** The number of the group within others, as `2.1`; empty for the outermost. */
  label: string;
  depth: number;
  onChange: (form: Form) => void;
}) {
  const { parts } = form;
  const change = (changed: Part[]) => onChange({ ...form, parts: changed });
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text size="sm">{depth === 1 ? 'A customer belongs to it for whom' : 'for whom'}</Text>
        <Choice
          label={depth === 1 ? 'How many conditions' : `Group ${label}: how many conditions`}
          words={HOW_MANY}
          value={form.by}
          onChange={(by) => onChange({ ...form, by })}
        />
      </Group>
      {parts.map((part, n) => {
        const number = label === '' ? String(n + 1) : `${label}.${n + 1}`;
        const own = {
          notes,
          onRemove: parts.length > 1 ? () => change(parts.toSpliced(n, 1)) : undefined,
        };
        const replace = (changed: Part) => change(parts.with(n, changed));
        return isGroup(part) ? (
          <Framed key={part.key} part={part} label={`Group ${number}`} {...own}>
            <GroupFields form={part} notes={notes} label={number} depth={depth + 1} onChange={replace} />
          </Framed>
        ) : (
          <Framed key={part.key} part={part} label={`Condition ${number}`} {...own}>
            <Condition row={part} label={`Condition ${number}`} onChange={replace} />
          </Framed>
        );
      })}
      <Notices notes={depth === 1 ? notes.get(form.key) : undefined} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon />}
          aria-label={label === '' ? undefined : `Add a condition to group ${label}`}
          onClick={() => change([...parts, newRow(emptyLeaf('did'))])}
        >
          Add a condition
        </Button>
        {depth < MAX_DEPTH && (
          <Button
            size="xs"
            variant="default"
            leftSection={<PlusIcon />}
            aria-label={label === '' ? undefined : `Add a group to group ${label}`}
            onClick={() => change([...parts, newGroup(form.by === 'any' ? 'all' : 'any', [newRow(emptyLeaf('did'))])])}
          >
            Add a group
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** A condition or a group, what is to be said of it, and how to remove it. */
function Framed({
  part,
  label,
  notes,
  onRemove,
  children,
}: {
  part: Part;
  label: string;
  notes: Notes;
  onRemove: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Paper component="fieldset" p="sm" withBorder aria-label={label} m={0} miw={0}>
      <Group gap="xs" align="flex-start" wrap="nowrap" justify="space-between">
        <Stack gap="xs" miw={0} flex={1}>
          {children}
          <Notices notes={notes.get(part.key)} />
        </Stack>
        {onRemove && (
          <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
            <TrashIcon />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}

function Notices({ notes = [] }: { notes: readonly { text: string; isError: boolean }[] | undefined }) {
  return notes.map(({ text, isError }) => (
    <Text
      key={text}
      size="xs"
      c={isError ? 'var(--mantine-color-error)' : 'var(--mantine-color-yellow-light-color)'}
      role={isError ? 'alert' : 'note'}
    >
      {text}
    </Text>
  ));
}

function Condition({ row, label, onChange }: { row: Row; label: string; onChange: (row: Row) => void }) {
  return (
    <Group gap="xs" wrap="wrap">
      <Choice<string>
        label={`${label}: whether it is true`}
        words={WHETHER}
        w={150}
        value={row.isNegated ? 'not' : 'is'}
        onChange={(value) => onChange({ ...row, isNegated: value === 'not' })}
      />
      <Choice
        label={`${label}: what is asked`}
        words={KINDS}
        w={180}
        value={kindOf(row.leaf)}
        onChange={(kind) => onChange({ ...row, leaf: emptyLeaf(kind) })}
      />
      <LeafFields value={row.leaf} label={label} onChange={(leaf) => onChange({ ...row, leaf })} />
    </Group>
  );
}
