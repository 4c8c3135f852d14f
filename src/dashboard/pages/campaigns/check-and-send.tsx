import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ChecklistIcon, PaperAirplaneIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign, CampaignCheck } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { plural, secondsWords } from '../../components/durations.ts';
import { count } from '../../components/numbers.ts';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { EstimateWords } from './campaign-audience.tsx';
import { useRefreshCampaigns } from './use-campaigns.ts';

/** Recipients above whom the number is typed. */
const MANY = 10_000;

/** Looks at all that it needs, then has it begin. */
export function CheckAndSend({ campaign, at, isSaved }: { campaign: Campaign; at: string; isSaved: boolean }) {
  const { id } = campaign;
  const client = useClient();
  const maySend = useAllows('messages:send');
  const isNow = at === '' && !campaign.timing?.local_time;
  const [isAsking, setAsking] = useState(false);
  const checking = useMutation({ mutationFn: () => client.checkCampaign({ id }) });
  const check = checking.data;
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<ChecklistIcon />}
          onClick={() => checking.mutate()}
          loading={checking.isPending}
          disabled={!isSaved}
        >
          Check
        </Button>
        {maySend && (
          <Button
            leftSection={<PaperAirplaneIcon />}
            onClick={() => setAsking(true)}
            disabled={!isSaved || !check?.is_ready}
          >
            {isNow ? 'Send now…' : 'Schedule…'}
          </Button>
        )}
      </Group>
      {checking.error && <Failure error={checking.error} title="It was not checked" />}
      {check ? (
        <Found check={check} />
      ) : (
        <Text size="sm" c="dimmed">
          Check it before you send it: messages are made to some of its recipients, and nothing is sent.
        </Text>
      )}
      {isAsking && check && <Ask campaign={campaign} at={at} check={check} onClose={() => setAsking(false)} />}
    </>
  );
}

function Found({ check }: { check: CampaignCheck }) {
  const { problems, rendered_count, estimate, sending_seconds } = check;
  return (
    <Stack gap="sm">
      {problems.length > 0 && (
        <Alert
          color={problems.some(({ severity }) => severity === 'error') ? 'red' : 'yellow'}
          title="To be looked at"
          role="status"
        >
          <List size="sm" aria-label="Problems">
            {problems.map(({ code, field, message }) => (
              <List.Item key={`${code} ${field} ${message}`}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {estimate && <EstimateWords estimate={estimate} />}
      <Text size="sm">
        Messages that were made to see whether they can be: {count(rendered_count)}.{segmentWords(check)}
        {sending_seconds !== null &&
          ` From its beginning to its last message it takes ${secondsWords(sending_seconds)}.`}
      </Text>
    </Stack>
  );
}

/** What text messages are charged by. */
function segmentWords({ segments_per_message: segments, estimate }: CampaignCheck): string {
  if (!segments) return '';
  const { average, most } = segments;
  const all = estimate ? `, and all together about ${count(Math.round(average * estimate.included_count))}` : '';
  return ` Each has ${plural(average, 'segment')} on average, the longest ${count(most)}${all}.`;
}

function Ask({
  campaign: { id, name, revision, timing },
  at,
  check: { estimate },
  onClose,
}: {
  campaign: Campaign;
  at: string;
  check: CampaignCheck;
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefreshCampaigns();
  const [typed, setTyped] = useState('');
  const localTime = timing?.local_time ?? null;
  const isNow = at === '' && localTime === null;
  const recipients = estimate?.included_count ?? 0;
  const scheduling = useMutation({
    mutationFn: () => client.scheduleCampaign({ id, revision, at: at === '' ? null : at }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: name, message: isNow ? 'It begins.' : 'It is scheduled.' });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} title={isNow ? `Send “${name}”?` : `Schedule “${name}”?`}>
      <ActionForm
        verb={isNow ? 'Send now' : 'Schedule'}
        failure="It was not scheduled"
        error={scheduling.error}
        isPending={scheduling.isPending}
        isDisabled={recipients > MANY && typed.replaceAll(/\D/g, '') !== String(recipients)}
        onCancel={onClose}
        onSubmit={scheduling.mutate}
      >
        <Text size="sm">
          Recipients, about: {count(recipients)}.{' '}
          {localTime !== null && `It goes at ${localTime.replace('T', ' ')} by the clock of each. `}
          {at !== '' && (
            <>
              It begins <Time value={at} />.{' '}
            </>
          )}
          What was sent can’t be taken back.
        </Text>
        {recipients > MANY && (
          <TextInput
            label={`Type the number of recipients, ${count(recipients)}`}
            inputMode="numeric"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </ActionForm>
    </Modal>
  );
}
