import { Anchor, Button, List, Text, VisuallyHidden } from '@mantine/core';
import { CheckCircleFillIcon, CircleIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { FirstStep, Scope } from '../../../client/index.ts';
import { Section } from '../../components/section.tsx';
import { useAllows, useCaller } from '../../session/current-caller.tsx';
import { useOverview } from './use-overview.ts';

/** In words, where it is taken, and what that takes. */
const STEPS: Readonly<Record<string, { words: string; to: string; scopes: Scope[] }>> = {
  store_set_up: {
    words: 'Set the time zone and currency of your store',
    to: '/settings/store',
    scopes: ['keys:manage'],
  },
  first_event: { words: 'Record a first event', to: '/events', scopes: ['events:read'] },
  customers_imported: {
    words: 'Import your customers',
    to: '/imports/new',
    scopes: ['profiles:write', 'audiences:read'],
  },
  sender_verified: {
    words: 'Set up a sender, and verify it',
    to: '/senders',
    scopes: ['messages:send', 'messages:read'],
  },
  automation_live: {
    words: 'Publish a first automation',
    to: '/automations',
    scopes: ['automations:write', 'automations:read'],
  },
  campaign_sent: { words: 'Send a first campaign', to: '/campaigns', scopes: ['messages:send', 'messages:read'] },
};

/** Where this browser remembers that somebody does not want to see those of a store any more. */
const keyOf = (storeId: string) => `footfall.first-steps.${storeId}`;

/** What a new store does first, ticked by what it has; nothing once all of it is there. */
export function FirstSteps() {
  const key = keyOf(useCaller()?.store.id ?? '');
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(key) !== null);
  const steps = useOverview()?.first_steps.filter(({ kind }) => kind in STEPS) ?? [];
  if (isDismissed || steps.every(({ is_done }) => is_done)) return null;
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed');
    setIsDismissed(true);
  };
  const done = steps.filter(({ is_done }) => is_done).length;
  return (
    <Section
      title="First steps"
      actions={
        <Button size="xs" variant="default" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {done} of {steps.length} done
      </Text>
      <List listStyleType="none" spacing="xs" size="sm" aria-label="First steps">
        {steps.map((step) => (
          <List.Item
            key={step.kind}
            icon={step.is_done ? <CheckCircleFillIcon fill="var(--mantine-color-green-text)" /> : <CircleIcon />}
          >
            <Step step={step} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Step({ step: { kind, is_done } }: { step: FirstStep }) {
  const { words = '', to = '', scopes = [] } = STEPS[kind] ?? {};
  const mayTake = useAllows(...scopes);
  if (is_done) {
    return (
      <Text size="sm" c="dimmed">
        {words}
        <VisuallyHidden> (done)</VisuallyHidden>
      </Text>
    );
  }
  if (!mayTake) return <Text size="sm">{words}</Text>;
  return (
    <Anchor component={Link} to={to} size="sm" underline="always">
      {words}
    </Anchor>
  );
}
