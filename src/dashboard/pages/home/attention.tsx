import { Anchor, List, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { AttentionItem } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { FAILED_RUNS } from '../automations/runs/addresses.ts';
import { useOverview } from './use-overview.ts';

/**
 * Of each kind what it is, of one and of several, and the page of all of them, below which each has its own; and what of that
 * page there is to look at.
 */
const KINDS: Readonly<Record<string, { one: string; several: string; path: string; part?: string }>> = {
  automation_failed: {
    one: 'A run of an automation has failed in the last 24 hours',
    several: 'runs of automations have failed in the last 24 hours',
    path: '/automations',
    part: FAILED_RUNS,
  },
  sender_resting: {
    one: 'A sender rests: its server has refused several messages in a row',
    several: 'senders rest: their servers have refused several messages in a row',
    path: '/senders',
  },
  sender_failing: { one: 'The check of a sender fails', several: 'senders have checks that fail', path: '/senders' },
  campaign_held: {
    one: 'A campaign is held until somebody decides',
    several: 'campaigns are held until somebody decides',
    path: '/campaigns',
  },
  campaign_paused: {
    one: 'A campaign has paused itself',
    several: 'campaigns have paused themselves',
    path: '/campaigns',
  },
  campaign_missed: {
    one: 'A campaign was not sent in time',
    several: 'campaigns were not sent in time',
    path: '/campaigns',
  },
  endpoint_down: { one: 'A webhook endpoint is down', several: 'webhook endpoints are down', path: '/webhooks' },
  feed_failing: {
    one: 'A feed of the catalog fails again and again',
    several: 'feeds of the catalog fail again and again',
    path: '/feeds',
  },
  feed_waiting: {
    one: 'A feed of the catalog waits for you: it would hide many items',
    several: 'feeds of the catalog wait for you: they would hide many items',
    path: '/feeds',
  },
  coupon_pool_empty: {
    one: 'A coupon pool has no free code',
    several: 'coupon pools have no free code',
    path: '/coupons',
  },
  import_failed: {
    one: 'An import of customers has failed',
    several: 'imports of customers have failed',
    path: '/imports',
  },
  no_orders: {
    one: 'There were no orders for unusually long',
    several: 'There were no orders for unusually long',
    path: '/orders',
  },
};

/** What needs somebody, with the way to where it is mended; nothing if nothing does. */
export function Attention() {
  const items = useOverview()?.attention ?? [];
  if (items.length === 0) return null;
  return (
    <Section title="Needs attention">
      <List listStyleType="none" spacing="xs" size="sm" aria-label="Needs attention">
        {items.map((item) => (
          <List.Item key={item.kind} icon={<AlertIcon fill="var(--mantine-color-orange-text)" />}>
            <What item={item} />
            {item.since && (
              <Text span size="sm" c="dimmed">
                {' '}
                since <Time value={item.since} />
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function What({ item: { kind, count: number, ids } }: { item: AttentionItem }) {
  const known = KINDS[kind];
  // What a later version has added.
  if (!known) return wordsOf({}, kind);
  const [only, ...others] = ids;
  return (
    <Anchor
      component={Link}
      to={only !== undefined && others.length === 0 ? `${known.path}/${only}${known.part ?? ''}` : known.path}
      size="sm"
      underline="always"
    >
      {number === 1 ? known.one : `${count(number)} ${known.several}`}
    </Anchor>
  );
}
