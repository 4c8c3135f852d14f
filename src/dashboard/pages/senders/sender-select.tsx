import type { ComponentProps } from 'react';
import { NamedSelect } from '../../components/named-select.tsx';
import { useAllows } from '../../session/current-key.tsx';
import { useSenders } from './use-senders.ts';

/** Chooses one of the store's senders, or none. */
export function SenderSelect(props: Omit<ComponentProps<typeof NamedSelect>, 'known' | 'mayList' | 'clearable'>) {
  return <NamedSelect label="Sender" {...props} known={useSenders()} mayList={useAllows('messages:read')} clearable />;
}
