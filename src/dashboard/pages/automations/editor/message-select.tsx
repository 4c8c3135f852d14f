import { Select } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { WaitForEvent } from '../../../definitions.ts';

export interface MessageSelectProps {
  value: WaitForEvent;
  onChange: (value: WaitForEvent) => void;
  /** The ids of the steps that send an e-mail. */
  emails: readonly string[];
}

const OF_MESSAGES = ['email_opened', 'email_clicked'];

/** Of which message an open or a click has to be; nothing for other events. */
export function MessageSelect({ value, onChange, emails }: MessageSelectProps) {
  const { of_step: chosen } = value;
  if (!OF_MESSAGES.includes(value.event_type) && chosen === undefined) return null;
  // A step that is not there any more is kept until another is chosen.
  const known = chosen === undefined || emails.includes(chosen) ? emails : [...emails, chosen];
  return (
    <Select
      label="Of the message of"
      description="The step of this run that has sent it."
      placeholder="Any message"
      clearable
      data={[...known]}
      value={chosen ?? null}
      onChange={(step) => onChange(withOptional(value, 'of_step', step ?? undefined))}
    />
  );
}
