import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../client/index.ts';
import { useCaller } from '../../session/current-caller.tsx';

/** What each role permits, in words. */
export const ROLES: Record<Role, string> = {
  owner: 'Everything in the store.',
  admin: 'Everything, but for owners: can not make, change or remove one.',
  marketer: 'Automations, campaigns, messages, audiences and the catalog; sees customers and events.',
  analyst: 'Sees results, automations, audiences and the catalog; no customers and no events.',
  support: 'Sees and changes single customers, their consent, exports and erasures; sees messages and runs.',
};

/** Chooses a role, among those that one may give. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const isOwner = useCaller()?.role === 'owner';
  const roles = (Object.keys(ROLES) as Role[]).filter((role) => isOwner || role !== 'owner');
  return (
    <Radio.Group label="Role" value={value} onChange={(chosen) => onChange(chosen as Role)}>
      <Stack gap="xs" mt="sm">
        {roles.map((role) => (
          <Radio key={role} value={role} label={role} description={ROLES[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
