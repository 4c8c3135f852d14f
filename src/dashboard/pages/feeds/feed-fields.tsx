import { Select, TextInput } from '@mantine/core';
import type { CatalogFeed, CatalogFeedFormat } from '../../../client/index.ts';
import { FORMAT_WORDS } from './words.ts';

/** How a file is read. */
export interface Reading {
  format: string;
  currency: string;
}

export const readingOf = (feed: CatalogFeed | undefined): Reading => ({
  format: feed?.format ?? '',
  currency: feed?.currency ?? '',
});

/** As the API takes it. */
export const toReading = ({ format, currency }: Reading) => ({
  format: (format || null) as CatalogFeedFormat | null,
  currency: currency.trim() || null,
});

/** Fields that say how a file is read. */
export function ReadingFields({
  reading,
  wrong,
  onChange,
}: {
  reading: Reading;
  wrong: (field: string) => string | undefined;
  onChange: (reading: Reading) => void;
}) {
  return (
    <>
      <Select
        label="Format"
        description="It is told by how the file begins, unless you choose one."
        data={[
          { value: '', label: 'As the file looks' },
          ...Object.entries(FORMAT_WORDS).map(([value, label]) => ({ value, label })),
        ]}
        allowDeselect={false}
        value={reading.format}
        onChange={(format) => onChange({ ...reading, format: format ?? '' })}
        error={wrong('format')}
      />
      <TextInput
        label="Currency of prices without one"
        description="Three letters, such as EUR. Empty: such prices are errors."
        maxLength={3}
        value={reading.currency}
        onChange={({ currentTarget }) => onChange({ ...reading, currency: currentTarget.value.toUpperCase() })}
        error={wrong('currency')}
      />
    </>
  );
}
