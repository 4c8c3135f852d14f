import { Badge } from '@mantine/core';
import type { SegmentExplanation } from '../../../client/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import { sentence } from '../../conditions/sentence.ts';
import { useNames } from '../../conditions/use-names.ts';
import { known } from '../../definitions.ts';

/** What each condition says of a customer, and of which value. */
export function Findings({ conditions }: { conditions: SegmentExplanation['conditions'] }) {
  const names = useNames();
  return (
    <DataTable
      label="Reasons"
      columns={[
        { header: 'Everyone', isWholeLine: true, render: ({ condition }) => sentence(known(condition), names) },
        { header: 'What there is', width: 200, render: ({ value }) => String(value ?? 'Not set') },
        {
          header: 'True',
          width: 90,
          render: ({ matches }) => <Badge color={matches ? 'green' : 'gray'}>{matches ? 'Yes' : 'No'}</Badge>,
        },
      ]}
      rows={conditions}
      rowKey={({ path }) => path}
      minWidth={480}
    />
  );
}
