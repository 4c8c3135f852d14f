import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Person } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { useCaller } from '../../session/current-caller.tsx';

type Pages = NonNullable<Parameters<typeof DataTable<Person>>[0]['pages']>;

export function PersonTable({
  people,
  pages,
  onChange,
  onHelp,
  onRemove,
}: {
  people: readonly Person[];
  pages: Pages;
  onChange: (person: Person) => void;
  onHelp: (person: Person) => void;
  onRemove: (person: Person) => void;
}) {
  const current = useCaller();
  const columns: Column<Person>[] = [
    {
      header: 'Name',
      width: 260,
      render: ({ id, name, email, has_second_factor, uses_identity_provider }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
            {id === current?.id && (
              <Badge component="span" variant="outline" ml="xs">
                you
              </Badge>
            )}
            {has_second_factor && (
              <Badge component="span" variant="light" color="green" ml="xs">
                second factor
              </Badge>
            )}
            {uses_identity_provider && (
              <Badge component="span" variant="light" color="blue" ml="xs">
                company account
              </Badge>
            )}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </Stack>
      ),
    },
    { header: 'Role', width: 110, render: ({ role }) => <Badge color="gray">{role}</Badge> },
    { header: 'Joined', width: 130, render: ({ joined_at }) => <Time value={joined_at} format="date" /> },
    {
      header: 'Last seen',
      width: 180,
      render: ({ seen_at }) =>
        seen_at ? (
          <Time value={seen_at} />
        ) : (
          <Text size="sm" c="dimmed">
            not signed in
          </Text>
        ),
    },
    {
      header: 'Actions',
      width: 240,
      align: 'right',
      render: (person) => (
        <Group gap="xs" justify="flex-end">
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => onChange(person)}
            aria-label={`Change the role of ${person.name}`}
          >
            Role
          </Button>
          {person.id !== current?.id && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => onHelp(person)}
              aria-label={`Help ${person.name} to sign in`}
            >
              Help
            </Button>
          )}
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            onClick={() => onRemove(person)}
            aria-label={`Remove ${person.name}`}
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <DataTable label="People" columns={columns} rows={people} rowKey={({ id }) => id} pages={pages} minWidth={920} />
  );
}
