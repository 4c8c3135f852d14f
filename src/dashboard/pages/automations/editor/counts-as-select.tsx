import { Select } from '@mantine/core';
import type { SendWebhookStep } from '../../../definitions.ts';

type Channel = NonNullable<SendWebhookStep['counts_as']>;

const NONE = 'none';

/** Whether what is sent counts for how many messages the store lets a customer get. */
export function CountsAsSelect({
  value,
  onChange,
}: {
  value: Channel | undefined;
  onChange: (to: Channel | undefined) => void;
}) {
  return (
    <Select
      label="Counts as a message"
      description="A customer who has had as many as the message settings allow is not sent it, and the run goes on."
      data={[
        { value: NONE, label: 'No' },
        { value: 'email', label: 'As an e-mail' },
        { value: 'sms', label: 'As a text message' },
      ]}
      value={value ?? NONE}
      onChange={(to) => onChange(to === NONE || to === null ? undefined : (to as Channel))}
      allowDeselect={false}
    />
  );
}
