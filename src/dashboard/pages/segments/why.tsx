import { Badge, Modal, Stack, Text } from '@mantine/core';
import { useOperation } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useNames } from './use-names.ts';
import { sentence } from './words.ts';

/** Why a customer is in a segment or not: what each condition says, of which value. */
export function Why({
  segmentId,
  profileId,
  name,
  onClose,
}: {
  segmentId: string;
  profileId: string;
  name: string;
  onClose: () => void;
}) {
  const query = useOperation('explainSegmentMember', { id: segmentId, profile_id: profileId });
  const names = useNames();
  return (
    <Modal opened onClose={onClose} size="xl" title={`“${name}”, and this customer`}>
      <Loaded query={query}>
        {({ matches, next_check, conditions }) => (
          <Stack>
            <Text size="sm">{matches ? 'The customer belongs to it.' : 'The customer does not belong to it.'}</Text>
            <DataTable
              label="Conditions"
              columns={[
                { header: 'A customer who', isWholeLine: true, render: ({ condition }) => sentence(condition, names) },
                { header: 'What there is', width: 200, render: ({ value }) => String(value ?? '–') },
                {
                  header: 'True',
                  width: 90,
                  render: (one) => <Badge color={one.matches ? 'green' : 'gray'}>{one.matches ? 'Yes' : 'No'}</Badge>,
                },
              ]}
              rows={conditions}
              rowKey={({ path }) => path}
              minWidth={480}
            />
            {next_check && (
              <Text size="sm">
                By the passage of time alone, this may change on <Time value={next_check} />.
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
