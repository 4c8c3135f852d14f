import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ApiKey } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Time } from '../../components/time.tsx';
import { useCaller } from '../../session/current-caller.tsx';

type Pages = Parameters<typeof DataTable<ApiKey>>[0]['pages'];

export function ApiKeyTable({
  keys,
  pages,
  onRename,
  onRevoke,
}: {
  keys: readonly ApiKey[];
  pages: NonNullable<Pages>;
  onRename: (apiKey: ApiKey) => void;
  onRevoke: (apiKey: ApiKey) => void;
}) {
  const current = useCaller();
  const columns: Column<ApiKey>[] = [
    {
      header: 'Name',
      width: 290,
      render: ({ id, name, public_key, created_at, created_by }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
            {id === current?.id && (
              <Badge component="span" variant="outline" ml="xs">
                this key
              </Badge>
            )}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {id}
          </Text>
          {public_key && (
            <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {public_key}
            </Code>
          )}
          <Text size="xs" c="dimmed">
            created <Time value={created_at} format="date" />
            {created_by && ` by ${makerOf(created_by)}`}
          </Text>
        </Stack>
      ),
    },
    { header: 'State', width: 100, render: (apiKey) => <State apiKey={apiKey} /> },
    {
      header: 'Scopes',
      isWholeLine: true,
      render: ({ scopes }) => (
        <Group gap={4}>
          {scopes.map((scope) => (
            <Code key={scope}>{scope}</Code>
          ))}
        </Group>
      ),
    },
    {
      header: 'Tier',
      width: 120,
      render: ({ tier, rate_limit }) => (
        <>
          {tier}
          <Text size="xs" c="dimmed">
            {count(rate_limit.used)} of {count(rate_limit.limit)}
          </Text>
        </>
      ),
    },
    {
      header: 'Last used',
      width: 180,
      render: ({ last_used_at }) =>
        last_used_at ? (
          <Time value={last_used_at} />
        ) : (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ),
    },
    {
      header: 'Expires',
      width: 110,
      render: ({ expires_at }) =>
        expires_at ? (
          <Time value={expires_at} format="date" />
        ) : (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ),
    },
    {
      header: 'Actions',
      width: 170,
      align: 'right',
      render: (apiKey) => (
        <Group gap="xs" justify="flex-end">
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => onRename(apiKey)}
            aria-label={`Rename ${apiKey.name}`}
          >
            Rename
          </Button>
          {stateOf(apiKey) === 'active' && (
            <Button
              size="compact-sm"
              color="red"
              variant="light"
              onClick={() => onRevoke(apiKey)}
              aria-label={`Revoke ${apiKey.name}`}
            >
              Revoke
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <DataTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} pages={pages} minWidth={1010} />
  );
}

const COLORS = { active: 'green', expired: 'gray', revoked: 'red' };

function State({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey);
  return <Badge color={COLORS[state]}>{state}</Badge>;
}

function stateOf({ revoked_at, expires_at }: ApiKey): keyof typeof COLORS {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

function makerOf({ kind, name }: NonNullable<ApiKey['created_by']>): string {
  if (kind === 'operator') return 'the operator';
  return kind === 'key' ? `the key ${name ?? ''}` : (name ?? 'somebody');
}
