import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { listPath } from '../lists/use-lists.ts';

/** The lists that a customer is in, and since when. */
export function CustomerLists({ profileId }: { profileId: string }) {
  const query = useRows('listProfileLists', { id: profileId, limit: 20 }, ({ lists }) => lists);
  return (
    <Section title="Lists" mt="lg">
      <Loaded query={query}>
        {(lists) =>
          lists.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer is in none.
            </Text>
          ) : (
            <Stack gap="xs">
              {lists.map(({ id, name, joined_at }) => (
                <Group key={id} justify="space-between" gap="xs">
                  <Anchor component={Link} to={listPath(id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    <Time value={joined_at} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <LoadMore pages={query} />
    </Section>
  );
}
