import { Button, Fieldset, Group, Select, Stack } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import type { Condition, Leaf } from '../../../definitions.ts';
import {
  type Group as ConditionGroup,
  conditionOf,
  groupOf,
  isLeaf,
  QUANTIFIERS,
  type Quantifier,
  wholeConditionOf,
} from './condition-groups.ts';
import { ConditionRow } from './condition-row.tsx';
import { isPlainDid, newLeaf, type Subject } from './condition-rows.ts';
import { withOptional } from './with-optional.ts';

/** Groups within groups that are offered; the service takes some more. */
const MAX_DEPTH = 3;

/** What a condition may look at, the usual first. */
type Subjects = readonly [Subject, ...Subject[]];

/** A condition as rows, of which all, any or none have to hold, and groups of them. */
export function ConditionFields({
  label,
  value,
  onChange,
  of,
  eventType = '',
}: {
  label: string;
  value: Condition | undefined;
  onChange: (condition: Condition | undefined) => void;
  of: Subjects;
  /** That of the events whose properties are compared. */
  eventType?: string;
}) {
  return (
    <Fieldset legend={label}>
      <GroupFields
        label={label}
        group={groupOf(value)}
        onChange={(group) => onChange(wholeConditionOf(group))}
        of={of}
        eventType={eventType}
        depth={1}
      />
    </Fieldset>
  );
}

function GroupFields({
  label,
  group: { by, parts },
  onChange,
  onRemove,
  of,
  eventType,
  depth,
}: {
  label: string;
  group: ConditionGroup;
  onChange: (group: ConditionGroup) => void;
  /** Of a group within another. */
  onRemove?: () => void;
  of: Subjects;
  eventType: string;
  depth: number;
}) {
  const change = (changed: readonly Condition[]) => onChange({ by, parts: changed });
  return (
    <Stack gap="sm">
      {(parts.length > 1 || by !== 'all' || onRemove) && (
        <Select
          size="xs"
          w={180}
          aria-label={`${label}: how many`}
          data={Object.entries(QUANTIFIERS).map(([value, words]) => ({ value, label: words }))}
          value={by}
          onChange={(chosen) => chosen && onChange({ by: chosen as Quantifier, parts })}
          allowDeselect={false}
        />
      )}
      {parts.map((part, n) => {
        const own = {
          label: `${label}, condition ${n + 1}`,
          of,
          eventType,
          onRemove: () => change(parts.toSpliced(n, 1)),
        };
        const replace = (changed: Condition) => change(parts.with(n, changed));
        return isLeaf(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state but what is being typed
          <LeafFields key={n} leaf={part} onChange={replace} {...own} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state but what is being typed
          <Fieldset key={n} legend="Group" aria-label={own.label}>
            <GroupFields
              group={groupOf(part)}
              onChange={(group) => replace(conditionOf(group))}
              depth={depth + 1}
              {...own}
            />
          </Fieldset>
        );
      })}
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => change([...parts, newLeaf(of[0])])}
        >
          Add a condition
        </Button>
        {depth < MAX_DEPTH && parts.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() => change([...parts, { any: [newLeaf(of[0])] }])}
          >
            Add a group
          </Button>
        )}
        {onRemove && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={onRemove} aria-label={`Remove: ${label}`}>
            Remove the group
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** One comparison; where it counts events, with what these have to be like. */
function LeafFields({
  label,
  leaf,
  of,
  eventType,
  onChange,
  onRemove,
}: {
  label: string;
  leaf: Leaf;
  of: Subjects;
  eventType: string;
  onChange: (leaf: Leaf) => void;
  onRemove: () => void;
}) {
  const row = { label, leaf, of, eventType, onChange, onRemove };
  if (!isPlainDid(leaf)) return <ConditionRow {...row} />;
  const { did } = leaf;
  return (
    <Stack gap="xs">
      <ConditionRow {...row} />
      <ConditionFields
        label="Only events where"
        eventType={did.event_type}
        value={did.filter}
        onChange={(filter) => onChange({ did: withOptional(did, 'filter', filter) })}
        of={['property']}
      />
    </Stack>
  );
}
