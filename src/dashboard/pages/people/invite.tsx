import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationInput, Role } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { RoleField } from './roles.tsx';

/** Invites somebody, then shows the link: this once. */
export function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: (input: InvitationInput) => client.createInvitation(input),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listInvitations'] }),
  });
  const close = () => {
    onClose();
    making.reset();
  };
  const { data } = making;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={data ? `The link for ${data.invitation.email}` : 'Invite somebody'}
      // A link that is shown this once is not to be lost by a slip.
      closeOnClickOutside={!data}
      closeOnEscape={!data}
    >
      {data ? (
        <Stack>
          <Text size="sm">
            Hand it over where nobody else reads it: whoever opens it joins the store. It works once, for seven days,
            and is not shown again.
          </Text>
          <CopyableCode code={data.link ?? ''} label="Link of the invitation" />
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <InviteForm onSubmit={making.mutate} error={making.error} isPending={making.isPending} />
      )}
    </Modal>
  );
}

function InviteForm({
  onSubmit,
  error,
  isPending,
}: {
  onSubmit: (input: InvitationInput) => void;
  error: Error | null;
  isPending: boolean;
}) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('marketer');
  const { wrong, rest } = refusalOf(error, ['email']);
  return (
    <ActionForm
      verb="Invite"
      failure="The invitation was not made"
      error={rest}
      isPending={isPending}
      isDisabled={email.trim() === ''}
      onSubmit={() => onSubmit({ email: email.trim(), role })}
    >
      <TextInput
        label="E-mail address"
        description="With which the person will sign in."
        type="email"
        required
        maxLength={254}
        data-autofocus
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        error={wrong('email')}
      />
      <RoleField value={role} onChange={setRole} />
    </ActionForm>
  );
}
