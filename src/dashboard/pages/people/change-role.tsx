import { Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Person, Role } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { RoleField } from './roles.tsx';

/** Gives a person another role. */
export function ChangeRole({ person: { id, name, role: former }, onClose }: { person: Person; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [role, setRole] = useState(former as Role);
  const change = useMutation({
    mutationFn: () => client.updatePerson({ id, role }),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['listPeople'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`The role of ${name}`}>
      <ActionForm
        verb="Save"
        failure="The role was not changed"
        error={change.error}
        isPending={change.isPending}
        isDisabled={role === former}
        onSubmit={change.mutate}
      >
        <RoleField value={role} onChange={setRole} />
        <Text size="sm">The person is signed out of this store, and has the new role at the next sign-in.</Text>
      </ActionForm>
    </Modal>
  );
}
