import { NumberInput, Select, TextInput } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { WaitForItem } from '../../../definitions.ts';

/** Which item of the catalog is waited for, and until what is so of it. */
export function ItemWaitFields({ value, onChange }: { value: WaitForItem; onChange: (value: WaitForItem) => void }) {
  const { catalog, item, below, currency, next } = value;
  const named = item ? { item } : {};
  const path = item?.from ?? '';
  return (
    <>
      <Select
        label="Until the item"
        allowDeselect={false}
        data={[
          { value: 'back_in_stock', label: 'can be bought' },
          { value: 'price_drop', label: 'costs less than' },
        ]}
        value={catalog}
        onChange={(to) =>
          onChange(
            to === 'price_drop'
              ? { catalog: to, ...named, below: below ?? 0, currency: currency ?? 'EUR', next }
              : { catalog: 'back_in_stock', ...named, next },
          )
        }
      />
      {catalog === 'price_drop' && (
        <>
          <NumberInput
            label="Price"
            min={0}
            decimalScale={4}
            value={below ?? ''}
            onChange={(to) => onChange({ ...value, below: typeof to === 'number' ? to : 0 })}
          />
          <TextInput
            label="Currency"
            maxLength={3}
            value={currency ?? ''}
            onChange={({ currentTarget }) => onChange({ ...value, currency: currentTarget.value.toUpperCase() })}
          />
        </>
      )}
      <TextInput
        label="Where the id of the item is"
        description="Without it, it is the item that triggered."
        placeholder="event.properties.ProductID"
        maxLength={1000}
        value={typeof path === 'string' ? path : path.join('.')}
        onChange={({ currentTarget: { value: from } }) =>
          onChange(withOptional(value, 'item', from === '' ? undefined : { from }))
        }
      />
    </>
  );
}
