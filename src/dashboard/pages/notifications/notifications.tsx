import { Alert, Badge, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationSettings } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { Page } from '../../components/page.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { SenderSelect } from '../senders/sender-select.tsx';
import { useEndpoints } from '../webhooks/use-endpoints.ts';
import { MAIL_PROBLEMS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 10_000;

/** By whom people are told of the store, who wants that, and what was sent. */
export function Notifications() {
  const query = useOperation('getNotificationSettings', {}, { refetchInterval: REFRESH_MS });
  return (
    <Page
      title="Notifications"
      description="What people are told of the store when something needs attention, and of the week on Mondays. Each chooses that under Your account."
    >
      <Loaded query={query}>
        {(settings) => (
          <>
            <Section title="Settings">
              <Form key={settings.updated_at} settings={settings} />
            </Section>
            <Section title="Who is told by mail" mt="lg">
              <Recipients settings={settings} />
            </Section>
            <Section title="Sent of late" mt="lg">
              <Recent settings={settings} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Form({ settings }: { settings: NotificationSettings }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const { sender_id, endpoint_id, problem } = settings;
  const [values, setValues] = useState({ sender_id, endpoint_id });
  const mayListEndpoints = useAllows('webhooks:manage');
  const endpoints = useEndpoints().data?.endpoints;
  const saving = useMutation({
    mutationFn: () => client.updateNotificationSettings(values),
    onSuccess: (after) => {
      queryClient.setQueryData(['getNotificationSettings', {}], after);
      notifications.show({ title: 'Notifications', message: 'The settings are saved.' });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, ['sender_id', 'endpoint_id']);
  return (
    <ActionForm
      verb="Save"
      failure="The settings were not saved"
      error={rest}
      isPending={saving.isPending}
      onSubmit={saving.mutate}
    >
      {problem !== null && (
        <Alert color="yellow" role="status" title="Nobody is sent mails">
          {wordsOf(MAIL_PROBLEMS, problem)}
        </Alert>
      )}
      <SenderSelect
        label="Sender of the mails"
        channel="email"
        description="One whose checks hold. Consent and caps of customers have nothing to do with these mails."
        placeholder="None: nobody is sent mails"
        value={values.sender_id ?? ''}
        onChange={(id) => setValues({ ...values, sender_id: id || null })}
        error={wrong('sender_id')}
      />
      <NamedSelect
        label="Webhook endpoint"
        description="Is told what needs attention, in messages of the type store.needs_attention."
        placeholder="None"
        known={endpoints}
        mayList={mayListEndpoints}
        clearable
        value={values.endpoint_id ?? ''}
        onChange={(id) => setValues({ ...values, endpoint_id: id || null })}
        error={wrong('endpoint_id')}
      />
    </ActionForm>
  );
}

type Recipient = NotificationSettings['recipients'][number];

const RECIPIENT_COLUMNS: readonly Column<Recipient>[] = [
  {
    header: 'Name',
    width: 260,
    render: ({ name, email }) => (
      <Stack gap={2}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </Stack>
    ),
  },
  { header: 'What needs attention', width: 180, render: ({ attention }) => (attention ? 'yes' : 'no') },
  { header: 'Report of the week', width: 160, render: ({ weekly_report }) => (weekly_report ? 'yes' : 'no') },
];

function Recipients({ settings: { recipients } }: { settings: NotificationSettings }) {
  if (recipients.length === 0) {
    return <Empty title="Nobody yet" description="Everybody chooses it under Your account." />;
  }
  return (
    <DataTable
      label="Recipients"
      columns={RECIPIENT_COLUMNS}
      rows={recipients}
      rowKey={({ person_id }) => person_id}
      minWidth={560}
    />
  );
}

type Sent = NotificationSettings['recent'][number];

const COLORS: Record<string, string> = { sent: 'green', failed: 'red', unknown: 'yellow' };

function Recent({ settings: { recent, recipients } }: { settings: NotificationSettings }) {
  const columns: Column<Sent>[] = [
    {
      header: 'What',
      width: 320,
      render: ({ subject }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {subject}
        </Text>
      ),
    },
    {
      header: 'To',
      width: 160,
      render: ({ person_id }) =>
        person_id === null
          ? 'the endpoint'
          : (recipients.find((one) => one.person_id === person_id)?.name ?? 'somebody who is not told any more'),
    },
    {
      header: 'Status',
      width: 200,
      render: ({ status, reason }) => (
        <>
          <Badge color={colorOf(COLORS, status)}>{status}</Badge>
          {reason !== null && (
            <Text size="xs" c="dimmed">
              {wordsOf({}, reason)}
            </Text>
          )}
        </>
      ),
    },
    { header: 'When', width: 180, render: ({ created_at }) => <Time value={created_at} /> },
  ];
  if (recent.length === 0) return <Empty title="Nothing was sent in the last 30 days" />;
  return <DataTable label="Notifications" columns={columns} rows={recent} rowKey={({ id }) => id} minWidth={760} />;
}
