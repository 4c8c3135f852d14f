import { ActionIcon, Group, Select, Text } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import type { ComparisonOperator } from '../../../../client/index.ts';
import type { Leaf } from '../../../definitions.ts';
import { useAttributes, useProperties, valuesOf } from '../../../recorded/recorded.ts';
import { LeafFields as FieldsOfSegments } from '../../segments/leaf-fields.tsx';
import { isShownWhole } from '../../segments/shown-whole.ts';
import { conditionWords, IDENTIFIER_WORDS, OPERATOR_WORDS } from '../words/conditions.ts';
import {
  type Compared,
  isCompared,
  isPlainDid,
  newLeaf,
  type Subject,
  subjectOf,
  withOperator,
} from './condition-rows.ts';
import { DidFields } from './did-fields.tsx';
import { NameInput } from './name-input.tsx';
import { ValueFields } from './value-fields.tsx';

const SUBJECTS: Readonly<Record<Subject, string>> = {
  property: 'Property of the event',
  attribute: 'Attribute of the customer',
  identifier: 'Identifier of the customer',
  did: 'What the customer did',
  list: 'List',
  segment: 'Segment',
  consent: 'Consent of the customer',
};
const OPERATORS = Object.entries(OPERATOR_WORDS).map(([value, label]) => ({ value, label }));
const IDENTIFIERS = Object.entries(IDENTIFIER_WORDS).map(([value, label]) => ({ value, label }));

/** One comparison. */
export function ConditionRow({
  label,
  leaf,
  of,
  onChange,
  onRemove,
  eventType = '',
}: {
  label: string;
  leaf: Leaf;
  of: readonly Subject[];
  /** That of the event whose properties are compared. */
  eventType?: string;
  onChange: (leaf: Leaf) => void;
  onRemove: () => void;
}) {
  const subject = subjectOf(leaf);
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={label}>
      {of.length > 1 && (
        <Select
          label="What"
          data={of.map((value) => ({ value, label: SUBJECTS[value] }))}
          value={subject}
          onChange={(chosen) => chosen && chosen !== subject && onChange(newLeaf(chosen as Subject))}
          allowDeselect={false}
          w={220}
        />
      )}
      {isPlainDid(leaf) ? (
        <DidFields did={leaf.did} onChange={(did) => onChange({ did })} />
      ) : isCompared(leaf) ? (
        <ComparedFields leaf={leaf} onChange={onChange} eventType={eventType} />
      ) : isShownWhole(leaf) ? (
        <FieldsOfSegments value={leaf} label={label} onChange={onChange} />
      ) : (
        <Text size="sm">If {conditionWords(leaf)}: change it as JSON.</Text>
      )}
      <ActionIcon size="input-sm" variant="subtle" color="red" onClick={onRemove} aria-label={`Remove: ${label}`}>
        <TrashIcon />
      </ActionIcon>
    </Group>
  );
}

function ComparedFields({
  leaf,
  onChange,
  eventType,
}: {
  leaf: Compared;
  onChange: (leaf: Compared) => void;
  eventType: string;
}) {
  const properties = useProperties(eventType);
  const attributes = useAttributes();
  const recorded =
    'property' in leaf
      ? valuesOf(properties, leaf.property)
      : 'attribute' in leaf
        ? valuesOf(attributes, leaf.attribute)
        : [];
  return (
    <>
      {'identifier' in leaf ? (
        <Select
          label="Identifier"
          data={IDENTIFIERS}
          value={leaf.identifier}
          onChange={(chosen) => onChange({ ...leaf, identifier: (chosen ?? 'email') as typeof leaf.identifier })}
          allowDeselect={false}
          w={180}
        />
      ) : 'property' in leaf ? (
        <NameInput
          label="Property"
          recorded={properties}
          value={leaf.property}
          onChange={(property) => onChange({ ...leaf, property })}
        />
      ) : (
        <NameInput
          label="Attribute"
          recorded={attributes}
          value={leaf.attribute}
          onChange={(attribute) => onChange({ ...leaf, attribute })}
        />
      )}
      <Select
        label="Comparison"
        data={OPERATORS}
        value={leaf.op}
        onChange={(op) => op && onChange(withOperator(leaf, op as ComparisonOperator))}
        allowDeselect={false}
        w={140}
      />
      <ValueFields comparison={leaf} onChange={(value) => onChange({ ...leaf, value })} recorded={recorded} />
    </>
  );
}
