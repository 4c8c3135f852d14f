import { Badge, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';

type Pages = NonNullable<Parameters<typeof DataTable<Invitation>>[0]['pages']>;

export function InvitationTable({ invitations, pages }: { invitations: readonly Invitation[]; pages: Pages }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const columns: Column<Invitation>[] = [
    { header: 'E-mail address', width: 260, render: ({ email }) => email },
    { header: 'Role', width: 110, render: ({ role }) => <Badge color="gray">{role}</Badge> },
    { header: 'Ends', width: 180, render: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: 'Actions',
      width: 110,
      align: 'right',
      render: (invitation) => (
        <Button
          size="compact-sm"
          color="red"
          variant="light"
          onClick={() => setRevoking(invitation)}
          aria-label={`Revoke the invitation of ${invitation.email}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Open invitations"
        columns={columns}
        rows={invitations}
        rowKey={({ id }) => id}
        pages={pages}
        minWidth={660}
      />
      {revoking && <Revocation invitation={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function Revocation({ invitation: { id, email }, onClose }: { invitation: Invitation; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => client.revokeInvitation({ id }),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['listInvitations'] });
    },
  });
  return (
    <Confirmation
      title={`Revoke the invitation of ${email}?`}
      verb="Revoke"
      failure="The invitation was not revoked"
      action={revocation}
      onClose={onClose}
    >
      Its link leads nowhere any more.
    </Confirmation>
  );
}
