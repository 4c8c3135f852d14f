import { Button, List, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StoreHold as Hold } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';

/** Stops all that the store sends by itself, and lets it go on. */
export function StoreHold() {
  const query = useOperation('getStoreHold', {});
  return (
    <Page title="Pause everything" description="For when something goes out that should not.">
      <Loaded query={query}>{(hold) => <Switch hold={hold} />}</Loaded>
    </Page>
  );
}

function Switch({ hold }: { hold: Hold }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const mayChange = useAllows('automations:write', 'messages:send') && hold.reason !== 'restored';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.updateStoreHold({ is_held: !hold.is_held }),
    onSuccess: (after) => {
      queryClient.setQueryData(['getStoreHold', {}], after);
      queryClient.invalidateQueries({ queryKey: ['listAutomations'] });
    },
  });
  return (
    <Section title={hold.is_held ? 'Nothing leaves' : 'Everything goes its way'}>
      <Stack align="flex-start">
        <Text size="sm" component="div" role="status">
          {hold.is_held ? <Since hold={hold} /> : 'Automations, campaigns and webhooks do what they are set to.'}
        </Text>
        <List size="sm">
          <List.Item>While all is paused, no message and no webhook leaves, order confirmations included.</List.Item>
          <List.Item>Automations start nothing and take no steps. Campaigns begin no more messages.</List.Item>
          <List.Item>Events, customers and consent are recorded as ever.</List.Item>
          <List.Item>
            Afterwards all goes on where it was: what became due meanwhile is sent late, unless it has expired. A
            campaign whose time came meanwhile asks you first.
          </List.Item>
        </List>
        {error && <Failure error={error} title={hold.is_held ? 'It does not go on' : 'It was not paused'} />}
        {mayChange && (
          <Button loading={isPending} onClick={() => mutate()} {...(!hold.is_held && { color: 'red' })}>
            {hold.is_held ? 'Let everything go on' : 'Pause everything'}
          </Button>
        )}
      </Stack>
    </Section>
  );
}

function Since({ hold: { reason, held_at, held_by } }: { hold: Hold }) {
  return (
    <>
      {reason === 'restored' ? 'Held by the restore of a backup' : `Paused by ${held_by?.name ?? 'somebody'}`}
      {held_at && (
        <>
          {' '}
          since <Time value={held_at} />
        </>
      )}
      {reason === 'restored' && ', until the operator releases it.'}
    </>
  );
}
