import type { ComponentProps } from 'react';
import { NamedSelect } from '../../components/named-select.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { takesChannel } from './sender-values.ts';
import { useSenders } from './use-senders.ts';

type Props = Omit<ComponentProps<typeof NamedSelect>, 'known' | 'mayList' | 'clearable'> & {
  /** Only those that take such messages. */
  channel?: 'email' | 'sms';
};

/** Chooses one of the store's senders, or none. */
export function SenderSelect({ channel, ...props }: Props) {
  const fit = useSenders()?.filter(({ kind }) => channel === undefined || takesChannel(String(kind), channel));
  return <NamedSelect label="Sender" {...props} known={fit} mayList={useAllows('messages:read')} clearable />;
}
