import { Checkbox, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Merge, MergePreview, Profile } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { Loaded } from '../../components/states.tsx';
import { MergeChanges } from '../privacy/merge-changes.tsx';
import { mergePath } from '../privacy/words.ts';
import { CustomerPicker } from './customer-picker.tsx';
import { nameOf } from './name-of.ts';

/** Finds the other customer, shows what would come of it, and merges them once that is confirmed. */
export function MergeCustomer({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const [other, setOther] = useState<Profile>();
  return (
    <Modal opened onClose={onClose} title="Merge with another customer" size="lg">
      {other ? (
        <ConfirmMerge profile={profile} other={other} cancel="Choose another" onCancel={() => setOther(undefined)} />
      ) : (
        <Stack>
          <Text size="sm">
            Find the customer who is the same person. {nameOf(profile)} stays; the other is merged into them.
          </Text>
          <CustomerPicker except={profile.id} onPick={setOther} />
        </Stack>
      )}
    </Modal>
  );
}

interface Confirmed {
  /** Who stays, and who is merged into them. */
  profile: Profile;
  other: Profile;
  cancel?: string;
  onCancel: () => void;
}

/** Shows what would come of a merge, and does it once that is confirmed. */
export function ConfirmMerge({ profile, other, cancel = 'Cancel', onCancel }: Confirmed) {
  const client = useClient();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isSure, setIsSure] = useState(false);
  const ids = { id: profile.id, from: other.id };
  const preview = useQuery({
    queryKey: ['mergePreview', ids],
    queryFn: async ({ signal }) => (await client.mergeProfiles({ ...ids, dry_run: true }, { signal })) as MergePreview,
    gcTime: 0,
  });
  const merging = useMutation({
    mutationFn: async () => (await client.mergeProfiles(ids)) as Merge,
    onSuccess: async ({ id }) => {
      navigate(mergePath(id));
      // Not at once: this page asks for a preview.
      await queryClient.invalidateQueries({ refetchType: 'none' });
    },
  });
  return (
    <ActionForm
      verb="Merge"
      failure="They were not merged"
      error={merging.error}
      isPending={merging.isPending}
      isDisabled={!isSure || !preview.data}
      isGrave
      cancel={cancel}
      onCancel={onCancel}
      onSubmit={merging.mutate}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{nameOf(other)}</b> is merged into <b>{nameOf(profile)}</b>, who stays. Events, messages and runs move, and
        what led to {nameOf(other)} leads to {nameOf(profile)}. No automation starts by it.
      </Text>
      <Loaded query={preview}>{({ changes }) => <MergeChanges changes={changes} isPreview />}</Loaded>
      <Checkbox
        label="They are the same person, and I know that this can’t be undone"
        checked={isSure}
        onChange={({ currentTarget }) => setIsSure(currentTarget.checked)}
      />
    </ActionForm>
  );
}
