import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ProfileWithConsent } from '../../../client/index.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useCaller } from '../../session/current-caller.tsx';
import { SuppressedNotice } from '../suppressions/suppressed-notice.tsx';
import { ChangeConsent } from './change-consent.tsx';
import { ConsentHistory } from './consent-history.tsx';
import { CHANNEL_NAMES, CHANNELS, type Channel, type ChannelConsent, STATUS_WORDS } from './consent-words.ts';

const COLORS = { subscribed: 'green', unsubscribed: 'red', never: 'gray' };

/** Whether the store may write to a customer, by channel, and how that came about. */
export function Consent({ profile: { id, consent, identifiers } }: { profile: ProfileWithConsent }) {
  const scopes = useCaller()?.scopes;
  const [changing, setChanging] = useState<Channel>();
  const [showsHistory, setShowsHistory] = useState(false);
  return (
    <Section
      title="Consent"
      mt="lg"
      actions={
        <Button size="xs" variant="default" onClick={() => setShowsHistory(true)}>
          History
        </Button>
      }
    >
      <Stack gap="md" role="list" aria-label="Channels">
        {CHANNELS.map((channel) => (
          <Group key={channel} role="listitem" justify="space-between" align="flex-start" wrap="nowrap">
            <Stack gap={4}>
              <ChannelState channel={channel} consent={consent[channel]} />
              {channel === 'email' && identifiers.email && <SuppressedNotice address={identifiers.email} />}
            </Stack>
            {scopes?.includes('profiles:write') && (
              <Button
                size="compact-sm"
                variant="default"
                flex="none"
                onClick={() => setChanging(channel)}
                aria-label={`Change the consent for ${CHANNEL_NAMES[channel].toLowerCase()}`}
              >
                Change
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {changing && (
        <ChangeConsent
          profileId={id}
          channel={changing}
          consent={consent[changing]}
          onClose={() => setChanging(undefined)}
        />
      )}
      {showsHistory && <ConsentHistory profileId={id} onClose={() => setShowsHistory(false)} />}
    </Section>
  );
}

function ChannelState({ channel, consent }: { channel: Channel; consent: ChannelConsent }) {
  const { status, changed_at, source, suppressed, lists, unconfirmed = [] } = consent;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {CHANNEL_NAMES[channel]}
        </Text>
        <Badge color={colorOf(COLORS, status)}>{wordsOf(STATUS_WORDS, status)}</Badge>
        {suppressed && <Badge color="orange">suppressed</Badge>}
      </Group>
      {changed_at && (
        <Text size="sm" c="dimmed">
          since <Time value={changed_at} />
          {source && `, ${source}`}
        </Text>
      )}
      {suppressed && (
        <Text size="sm" c="dimmed">
          Nothing is to be sent since <Time value={suppressed.at} />: {suppressed.reason}
        </Text>
      )}
      {lists.map(({ id, status: ofList }) => (
        <Text key={id} size="sm" c="dimmed">
          List <Code>{id}</Code>: {STATUS_WORDS[ofList]}
        </Text>
      ))}
      {unconfirmed.map(({ list_id, asked_at }) => (
        <Text key={list_id} size="sm" c="dimmed">
          List <Code>{list_id}</Code>: asked on <Time value={asked_at} />, not confirmed
        </Text>
      ))}
    </Stack>
  );
}
