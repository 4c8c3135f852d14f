import { Modal, Stack, Text } from '@mantine/core';
import { useOperation } from '../../api/operations.ts';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { Findings } from './findings.tsx';

/** Why a customer is in a segment or not. */
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
  return (
    <Modal opened onClose={onClose} size="xl" title={`“${name}”, and this customer`}>
      <Explanation segmentId={segmentId} profileId={profileId} />
    </Modal>
  );
}

/** What each condition says of the customer, and when that may change. */
export function Explanation({ segmentId, profileId }: { segmentId: string; profileId: string }) {
  const query = useOperation('explainSegmentMember', { id: segmentId, profile_id: profileId });
  return (
    <Loaded query={query}>
      {({ matches, member, next_check, conditions }) => (
        <Stack>
          <Text size="sm">
            {matches ? 'The customer belongs to it.' : 'The customer does not belong to it.'}
            {matches !== member && ' The members will follow in a moment, or once the segment is built.'}
          </Text>
          <Findings conditions={conditions} />
          {next_check && (
            <Text size="sm">
              By the passage of time alone, this may change on <Time value={next_check} />.
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
