import { ActionIcon, Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { PlusIcon, XIcon } from '@primer/octicons-react';
import type { RoleRule } from '../../../../client/index.ts';
import { useRows } from '../../../api/operations.ts';

type GivenRole = RoleRule['role'];

/** Owners are made by owners alone. */
const GIVEN: readonly GivenRole[] = ['admin', 'marketer', 'analyst', 'support'];
const MOST = 100;

/** Roles by groups, of which the first that fits holds. */
export function RoleRules({ rules, onChange }: { rules: RoleRule[]; onChange: (rules: RoleRule[]) => void }) {
  const change = (at: number, changed: Partial<RoleRule>) =>
    onChange(rules.map((rule, n) => (n === at ? { ...rule, ...changed } : rule)));
  return (
    <Fieldset legend="Roles by groups">
      <Stack gap="sm">
        <Text size="sm">The first group that somebody is in gives the role, at each sign-in. Owners stay owners.</Text>
        {rules.map(({ group, role }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place.
          <Group key={at} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={`Group ${at + 1}`}
              placeholder="Group"
              required
              maxLength={255}
              flex={1}
              value={group}
              onChange={({ currentTarget }) => change(at, { group: currentTarget.value })}
            />
            <NativeSelect
              aria-label={`Role of group ${at + 1}`}
              data={[...GIVEN]}
              value={role}
              onChange={({ currentTarget }) => change(at, { role: currentTarget.value as GivenRole })}
            />
            <ActionIcon
              variant="default"
              aria-label={`Remove group ${at + 1}`}
              onClick={() => onChange(rules.filter((_, n) => n !== at))}
            >
              <XIcon />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon />}
            disabled={rules.length >= MOST}
            onClick={() => onChange([...rules, { group: '', role: 'marketer' }])}
          >
            Add a group
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** Of people without an invitation whom no group gives one. */
export function DefaultRole({ value, onChange }: { value: string | null; onChange: (role: GivenRole | null) => void }) {
  return (
    <NativeSelect
      label="Otherwise"
      description="What people of these domains are whom no group gives a role."
      data={[{ value: '', label: 'refused' }, ...GIVEN]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange((currentTarget.value || null) as GivenRole | null)}
    />
  );
}

/** Chooses the owner whose password is kept. */
export function BreakGlass({
  value,
  error,
  onChange,
}: {
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
}) {
  const people = useRows('listPeople', { limit: 100 }, (page) => page.people);
  const owners = (people.data ?? []).filter(({ role }) => role === 'owner');
  return (
    <NativeSelect
      label="Owner who keeps the password"
      description="For the case that the identity provider fails."
      required
      data={[
        { value: '', label: '' },
        ...owners.map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      error={error}
    />
  );
}
