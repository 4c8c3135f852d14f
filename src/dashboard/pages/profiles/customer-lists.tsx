import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { AudienceSelect } from '../../conditions/audience-select.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { listPath, useRefreshLists } from '../lists/use-lists.ts';

/** The lists that a customer is in, and since when; who may, adds them to others. */
export function CustomerLists({ profileId }: { profileId: string }) {
  const query = useRows('listProfileLists', { id: profileId, limit: 20 }, ({ lists }) => lists);
  const client = useClient();
  const refresh = useRefreshLists();
  const mayChange = useAllows('audiences:write');
  const members = [{ profile_id: profileId }];
  const removing = useMutation({
    mutationFn: (id: string) => client.removeListMembers({ id, members }),
    onSuccess: refresh,
  });
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
                <Group key={id} justify="space-between" gap="xs" wrap="nowrap">
                  <Stack gap={0} miw={0}>
                    <Anchor component={Link} to={listPath(id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {name}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      since <Time value={joined_at} />
                    </Text>
                  </Stack>
                  {mayChange && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      flex="none"
                      aria-label={`Remove from ${name}`}
                      loading={removing.isPending && removing.variables === id}
                      onClick={() => removing.mutate(id)}
                    >
                      Remove
                    </Button>
                  )}
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <LoadMore pages={query} />
      {removing.error && <Failure error={removing.error} title="The customer was not removed" />}
      {mayChange && <AddToList profileId={profileId} />}
    </Section>
  );
}

function AddToList({ profileId }: { profileId: string }) {
  const client = useClient();
  const refresh = useRefreshLists();
  const [id, setId] = useState('');
  const adding = useMutation({
    mutationFn: async () => {
      const { members } = await client.addListMembers({ id, members: [{ profile_id: profileId }] });
      for (const member of members) if (member.status === 'rejected') throw new Error(member.error.message);
    },
    onSuccess: async () => {
      setId('');
      await refresh();
    },
  });
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <AudienceSelect kind="list" label="Add to a list" value={id} onChange={setId} />
        <Button variant="default" disabled={id === ''} loading={adding.isPending} onClick={() => adding.mutate()}>
          Add
        </Button>
      </Group>
      {adding.error && <Failure error={adding.error} title="The customer was not added" />}
    </Stack>
  );
}
