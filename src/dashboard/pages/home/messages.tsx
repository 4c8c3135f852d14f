import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Attribution, MessageReport } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Figure } from '../../components/figure.tsx';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { changeIn } from '../../range/change.ts';
import type { ShownRange } from '../../range/use-range.ts';
import { useCaller } from '../../session/current-caller.tsx';
import { Rule } from '../messages/revenue.tsx';

const REFRESH_MS = 60_000;

/** How many messages were sent in a range, what they led to and, where it has a comparison, before; to the same hour. */
export function Messages({ range: { first, last, compare } }: { range: ShownRange }) {
  // As the other reports take days of a store that has said none.
  const time_zone = useCaller()?.store.time_zone ?? 'UTC';
  const asked = { from: first, to: last, ...(compare && { compare }) };
  const sent = useOperation('getMessageReport', asked, { refetchInterval: REFRESH_MS });
  const earned = useOperation('getAttribution', { ...asked, time_zone }, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Messages"
      actions={
        <Anchor component={Link} to="/campaigns" size="sm">
          All campaigns
        </Anchor>
      }
    >
      <Loaded query={sent}>
        {(report) => <Loaded query={earned}>{(attribution) => <Figures sent={report} earned={attribution} />}</Loaded>}
      </Loaded>
    </Section>
  );
}

function Figures({ sent: { totals, comparison, is_cut }, earned }: { sent: MessageReport; earned: Attribution }) {
  const before = comparison?.totals;
  const earnedBefore = earned.comparison?.totals;
  const currencies = new Set([...earned.revenue, ...(earnedBefore?.revenue ?? [])].map(({ currency }) => currency));
  if (totals.sent_count === 0 && (before?.sent_count ?? 0) === 0 && currencies.size === 0) {
    return (
      <Text size="sm">
        {before ? 'No messages were sent, neither in this range nor in the one before.' : 'No messages were sent.'}
      </Text>
    );
  }
  return (
    <Stack gap="md">
      <Group gap="16px 40px" component="dl" m={0}>
        <Figure
          label="Messages sent"
          value={is_cut ? `${count(totals.sent_count)} or more` : count(totals.sent_count)}
          change={is_cut ? undefined : changeIn(totals.sent_count, before?.sent_count)}
        />
        {totals.sms_count > 0 && <Figure label="Of them text messages" value={count(totals.sms_count)} />}
        <Figure
          label="Orders from messages"
          value={count(earned.order_count)}
          change={changeIn(earned.order_count, earnedBefore?.order_count)}
        />
        {[...currencies].map((currency) => {
          const now = amountIn(earned.revenue, currency);
          return (
            <Figure
              key={currency}
              label="Revenue from messages"
              value={money(now, currency)}
              change={changeIn(Number(now), earnedBefore && Number(amountIn(earnedBefore.revenue, currency)))}
            />
          );
        })}
      </Group>
      <Rule isNothing={false} />
    </Stack>
  );
}

const amountIn = (revenue: Attribution['revenue'], of: string | null) =>
  revenue.find(({ currency }) => currency === of)?.amount ?? '0';
