import { Checkbox, Stack, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MessageSettings as Settings } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { DurationInput } from '../../components/duration-input.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { ATTRIBUTION_FIELDS, AttributionFields } from './attribution-fields.tsx';
import { SenderSelect } from './sender-select.tsx';

const USUAL_CAPS = { most: 3, within: 'P7D' };
const USUAL_PAUSE = 'PT16H';

/** What the store says of all its messages. */
export function MessageSettings() {
  const query = useOperation('getMessageSettings', {});
  return (
    <Section title="All messages">
      <Loaded query={query}>{(settings) => <Form key={settings.updated_at} settings={settings} />}</Loaded>
    </Section>
  );
}

function Form({ settings }: { settings: Settings }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const maySend = useAllows('messages:send');
  const { updated_at: _, ...read } = settings;
  const [values, setValues] = useState(read);
  const change = (changed: Partial<typeof values>) => setValues({ ...values, ...changed });
  const { postal_address, default_sender_id, default_sms_sender_id, caps, smart_sending, tracking, attribution } =
    values;
  const track = (changed: Partial<typeof tracking>) => change({ tracking: { ...tracking, ...changed } });
  const saving = useMutation({
    mutationFn: () => client.updateMessageSettings({ ...values, postal_address: postal_address?.trim() || null }),
    onSuccess: (after) => {
      queryClient.setQueryData(['getMessageSettings', {}], after);
      notifications.show({ title: 'All messages', message: 'The settings are saved.' });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, [
    ...['postal_address', 'default_sender_id', 'default_sms_sender_id', 'caps.most', ...ATTRIBUTION_FIELDS],
  ]);
  return (
    <ActionForm
      verb="Save"
      failure="The settings were not saved"
      error={rest}
      isPending={saving.isPending}
      isDisabled={!maySend}
      onSubmit={saving.mutate}
    >
      <Textarea
        label="Postal address"
        description="Of the shop; marketing has to have it."
        autosize
        minRows={2}
        maxLength={500}
        readOnly={!maySend}
        value={postal_address ?? ''}
        onChange={({ currentTarget }) => change({ postal_address: currentTarget.value })}
        error={wrong('postal_address')}
      />
      <SenderSelect
        label="Default sender"
        channel="email"
        description="Of e-mails that name none."
        placeholder="The outbox, which sends nothing"
        disabled={!maySend}
        value={default_sender_id ?? ''}
        onChange={(id) => change({ default_sender_id: id || null })}
        error={wrong('default_sender_id')}
      />
      <SenderSelect
        label="Default sender of text messages"
        channel="sms"
        description="Of text messages that name none."
        placeholder="The outbox, which sends nothing"
        disabled={!maySend}
        value={default_sms_sender_id ?? ''}
        onChange={(id) => change({ default_sms_sender_id: id || null })}
        error={wrong('default_sms_sender_id')}
      />
      <Checkbox
        label="Limit the marketing that a customer gets"
        disabled={!maySend}
        checked={caps !== null}
        onChange={({ currentTarget }) => change({ caps: currentTarget.checked ? USUAL_CAPS : null })}
      />
      {caps && (
        <Stack gap="xs">
          <NumberField
            label="Messages, at most"
            min={1}
            max={100}
            allowDecimal={false}
            readOnly={!maySend}
            value={caps.most}
            onChange={(most) => change({ caps: { ...caps, most } })}
            error={wrong('caps.most')}
            w={200}
          />
          <DurationInput
            label="Within"
            value={caps.within}
            onChange={(within) => change({ caps: { ...caps, within } })}
          />
        </Stack>
      )}
      <Checkbox
        label="Leave time between two of them"
        disabled={!maySend}
        checked={smart_sending !== null}
        onChange={({ currentTarget }) => change({ smart_sending: currentTarget.checked ? USUAL_PAUSE : null })}
      />
      {smart_sending !== null && (
        <DurationInput label="At least" value={smart_sending} onChange={(pause) => change({ smart_sending: pause })} />
      )}
      <Checkbox
        label="Count who opens messages"
        description="By an image of one pixel. Programs load it, too, and many readers never do."
        disabled={!maySend}
        checked={tracking.opens}
        onChange={({ currentTarget }) => track({ opens: currentTarget.checked })}
      />
      <Checkbox
        label="Count who follows links"
        description="Links lead by way of this service."
        disabled={!maySend}
        checked={tracking.clicks}
        onChange={({ currentTarget }) => track({ clicks: currentTarget.checked })}
      />
      <Checkbox
        label="In transactional messages, too"
        disabled={!maySend || !(tracking.opens || tracking.clicks)}
        checked={tracking.transactional}
        onChange={({ currentTarget }) => track({ transactional: currentTarget.checked })}
      />
      <Checkbox
        label="An event for each message that is sent"
        description="As many more events as there are messages."
        disabled={!maySend}
        checked={tracking.sent}
        onChange={({ currentTarget }) => track({ sent: currentTarget.checked })}
      />
      <Checkbox
        label="An event for each message that arrives"
        disabled={!maySend}
        checked={tracking.delivered}
        onChange={({ currentTarget }) => track({ delivered: currentTarget.checked })}
      />
      <AttributionFields
        rule={attribution}
        onChange={(changed) => change({ attribution: changed })}
        wrong={wrong}
        disabled={!maySend}
      />
    </ActionForm>
  );
}
