import { Badge, Button, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { browserOf } from './browser-of.ts';
import { type OwnSession, useAsk } from './requests.ts';

export function SessionTable({ sessions }: { sessions: readonly OwnSession[] }) {
  const columns: Column<OwnSession>[] = [
    {
      header: 'Browser',
      render: ({ user_agent, is_this }) => (
        <Text size="sm" component="div">
          {browserOf(user_agent)}
          {is_this && (
            <Badge component="span" variant="outline" ml="xs">
              this one
            </Badge>
          )}
        </Text>
      ),
    },
    {
      header: 'From',
      width: 180,
      render: ({ address }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address || 'not known'}
        </Text>
      ),
    },
    { header: 'Store', width: 160, render: ({ store }) => <Text size="sm">{store}</Text> },
    { header: 'Last seen', width: 170, render: ({ seen_at }) => <Time value={seen_at} /> },
    {
      header: 'Actions',
      width: 110,
      align: 'right',
      render: (session) => !session.is_this && <SignOut session={session} />,
    },
  ];
  return <DataTable label="Sessions" columns={columns} rows={sessions} rowKey={({ id }) => id} minWidth={760} />;
}

function SignOut({ session: { id, user_agent, address } }: { session: OwnSession }) {
  const ending = useAsk<undefined>('DELETE', `account/sessions/${id}`);
  return (
    <Stack gap="xs">
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        loading={ending.isPending}
        onClick={() => ending.mutate(undefined)}
        aria-label={`Sign out ${browserOf(user_agent)} at ${address}`}
      >
        Sign out
      </Button>
      {ending.error && <Failure error={ending.error} title="Not signed out" />}
    </Stack>
  );
}
