import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../components/section.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { ConsentTimeline, EventTimeline, ListTimeline, MessageTimeline } from './timelines.tsx';

type Kind = 'all' | 'orders' | 'site' | 'messages' | 'consent' | 'lists';

/** What a customer did, and what was done about them, newest first: all events, or what is of one kind. */
export function Timeline({ profileId }: { profileId: string }) {
  const [kind, setKind] = useState<Kind>('all');
  const readsEvents = useAllows('events:read');
  const readsMessages = useAllows('messages:read', 'profiles:read');
  const readsLists = useAllows('audiences:read');
  const kinds: { value: Kind; label: string }[] = [
    { value: 'all', label: 'All events' },
    ...(readsEvents
      ? ([
          { value: 'orders', label: 'Orders' },
          { value: 'site', label: 'On the site' },
        ] as const)
      : []),
    ...(readsMessages ? [{ value: 'messages' as const, label: 'Messages' }] : []),
    { value: 'consent', label: 'Consent' },
    ...(readsLists ? [{ value: 'lists' as const, label: 'Lists' }] : []),
  ];
  return (
    <Section
      title="Timeline"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Show in the timeline"
          data={kinds}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        />
      }
    >
      {kind === 'messages' && <MessageTimeline profileId={profileId} />}
      {kind === 'consent' && <ConsentTimeline profileId={profileId} />}
      {kind === 'lists' && <ListTimeline profileId={profileId} />}
      {(kind === 'all' || kind === 'orders' || kind === 'site') && (
        <EventTimeline key={kind} profileId={profileId} kind={kind === 'all' ? undefined : kind} />
      )}
    </Section>
  );
}
