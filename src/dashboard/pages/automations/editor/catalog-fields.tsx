import { Checkbox, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { ClientEvents } from '../../../conditions/client-events.tsx';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { OF_EVENT } from '../../../conditions/words.ts';
import type { CatalogTrigger } from '../../../definitions.ts';
import { CHANGE_NAMES } from '../words/catalog-trigger.ts';

interface Props {
  value: CatalogTrigger;
  onChange: (trigger: CatalogTrigger) => void;
}

/** What changes of an item, and who is told. */
export function CatalogFields({ value, onChange }: Props) {
  const { change, audience } = value;
  return (
    <>
      <Select
        label="An item"
        data={Object.entries(CHANGE_NAMES).map(([name, label]) => ({ value: name, label }))}
        value={change}
        // What bounds one kind of change is for no other.
        onChange={(name) =>
          name &&
          onChange({
            ...{ type: 'catalog', audience, change: name as CatalogTrigger['change'] },
            ...(value.filter && { filter: value.filter }),
            ...(value.from_client && { from_client: true }),
          })
        }
        allowDeselect={false}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {change === 'price_drop' && (
          <>
            <AmountInput
              label="By at least, in percent"
              name="min_percent"
              value={value}
              onChange={onChange}
              max={100}
            />
            <AmountInput label="To less than" name="below" value={value} onChange={onChange} />
            <TextInput
              label="In currency"
              placeholder="Any"
              maxLength={3}
              value={value.currency ?? ''}
              onChange={({ currentTarget }) =>
                onChange(withOptional(value, 'currency', currentTarget.value.toUpperCase() || undefined))
              }
            />
          </>
        )}
        {change === 'low_stock' && (
          <AmountInput label="Pieces, fewer than" name="below" value={value} onChange={onChange} max={21} />
        )}
      </SimpleGrid>
      <Audience value={value} onChange={onChange} />
      <ConditionFields
        label="Only items where"
        value={value.filter}
        onChange={(filter) => onChange(withOptional(value, 'filter', filter))}
        of={OF_EVENT}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <AmountInput label="For customers, at most" name="max_customers" value={value} onChange={onChange} min={1} />
        <AmountInput label="For customers for each piece" name="per_unit" value={value} onChange={onChange} min={1} />
      </SimpleGrid>
    </>
  );
}

function Audience({ value, onChange }: Props) {
  const { audience } = value;
  const change = (name: 'viewed' | 'carted' | 'ordered', within: string) =>
    onChange({ ...value, audience: withOptional(audience, name, within || undefined) });
  return (
    <>
      <Checkbox
        label="Those who wait for it"
        checked={audience.subscribed ?? false}
        onChange={({ currentTarget }) =>
          onChange({ ...value, audience: withOptional(audience, 'subscribed', currentTarget.checked || undefined) })
        }
      />
      {audience.subscribed && (
        <ClientEvents
          label="Also those whom pages and apps have subscribed"
          value={value.from_client}
          onChange={(takes) => onChange(withOptional(value, 'from_client', takes))}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <DurationInput
          label="Those who looked at it within"
          value={audience.viewed ?? ''}
          onChange={(within) => change('viewed', within)}
        />
        <DurationInput
          label="Those who put it into a cart within"
          value={audience.carted ?? ''}
          onChange={(within) => change('carted', within)}
        />
        <DurationInput
          label="Those who ordered it within"
          value={audience.ordered ?? ''}
          onChange={(within) => change('ordered', within)}
        />
      </SimpleGrid>
    </>
  );
}

function AmountInput({
  label,
  name,
  value,
  onChange,
  min = 0,
  max,
}: Props & {
  label: string;
  name: 'min_percent' | 'below' | 'max_customers' | 'per_unit';
  min?: number;
  max?: number;
}) {
  return (
    <NumberInput
      label={label}
      placeholder="Any"
      min={min}
      {...(max !== undefined && { max })}
      value={value[name] ?? ''}
      onChange={(number) => onChange(withOptional(value, name, typeof number === 'number' ? number : undefined))}
    />
  );
}
