import { Select } from '@mantine/core';
import { CHANNEL_WORDS } from '../words/steps.ts';

type Channel = keyof typeof CHANNEL_WORDS;

/** Chooses what customers opt in to or out of. */
export function ChannelSelect({ value, onChange }: { value: Channel; onChange: (channel: Channel) => void }) {
  return (
    <Select
      label="Channel"
      data={Object.entries(CHANNEL_WORDS).map(([channel, label]) => ({ value: channel, label }))}
      value={value}
      onChange={(channel) => channel && onChange(channel as Channel)}
      allowDeselect={false}
    />
  );
}
