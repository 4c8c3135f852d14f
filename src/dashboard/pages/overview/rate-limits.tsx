import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';

const REFRESH_MS = 10_000;

/** Which keys are in use. */
export function RateLimits() {
  const keys = useOperation('listApiKeys', { limit: 100 }, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Keys in use"
      actions={
        <Anchor component={Link} to="/settings/api-keys" size="sm">
          All keys
        </Anchor>
      }
    >
      <Loaded query={keys}>
        {({ api_keys }) => (
          <DataTable
            label="Keys in use"
            minWidth={320}
            rows={api_keys.filter(({ revoked_at, last_used_at }) => !revoked_at && last_used_at)}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Key', render: ({ name }) => name },
              { header: 'Tier', width: 100, render: ({ tier }) => tier },
              {
                header: 'Last used',
                width: 180,
                render: ({ last_used_at }) => last_used_at && <Time value={last_used_at} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
