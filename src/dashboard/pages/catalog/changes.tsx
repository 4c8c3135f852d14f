import { Text } from '@mantine/core';
import type { CatalogChange } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { money } from '../../components/money.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CHANGE_WORDS } from './words.ts';

const COLUMNS: readonly Column<CatalogChange>[] = [
  { header: 'What', width: 150, render: ({ kind }) => wordsOf(CHANGE_WORDS, kind) },
  { header: 'Variant', isWholeLine: true, render: ({ variant_id }) => variant_id ?? '–' },
  { header: 'Before and after', width: 200, render: fromTo },
  { header: 'When', width: 150, render: ({ changed_at }) => <Time value={changed_at} /> },
];

function fromTo({ before, after, currency }: CatalogChange): string {
  if (before === null && after === null) return '–';
  const shown = (value: number | null) => (value === null ? '–' : money(value, currency));
  return `${shown(before)} → ${shown(after)}`;
}

/** What has changed of an item, the latest first. */
export function CatalogChanges({ itemId }: { itemId: string }) {
  const query = useRows('listCatalogChanges', { item_id: itemId, limit: 25 }, ({ changes }) => changes);
  return (
    <Section title="Changes" mt="lg">
      <Loaded query={query}>
        {(changes) =>
          changes.length === 0 ? (
            <Text size="sm" c="dimmed">
              Prices, stock and status have not changed in the last 90 days.
            </Text>
          ) : (
            <DataTable
              label="Changes"
              columns={COLUMNS}
              rows={changes}
              rowKey={({ id }) => id}
              pages={query}
              minWidth={560}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
