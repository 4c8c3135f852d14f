import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Loaded, Loading } from '../../components/states.tsx';
import { daysWords } from '../../range/range.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { useRange } from '../../range/use-range.ts';
import { useAllows, useCaller } from '../../session/current-caller.tsx';
import { Attention } from './attention.tsx';
import { AutomationsInBrief } from './automations-in-brief.tsx';
import { Earnings } from './earnings.tsx';
import { Events } from './events.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Messages } from './messages.tsx';
import { QuickStart } from './quick-start.tsx';
import { UnknownStore } from './unknown-store.tsx';
import { useStats } from './use-stats.ts';

/** How the store is doing, as far as who looks at it may see that; or, as long as nothing was recorded, how to record something. */
export function Home() {
  const isKnown = useCaller() !== undefined;
  return (
    <Page title="Home" description="What the store earns, what its messages bring, and what needs you.">
      <UnknownStore />
      {isKnown ? <Parts /> : <Loading />}
    </Page>
  );
}

function Parts() {
  const seesEvents = useAllows('events:read');
  const newest = useOperation('listEvents', { limit: 1 }, { enabled: seesEvents, staleTime: Number.POSITIVE_INFINITY });
  // Asked for at the same time, because they are mostly what is shown next.
  useStats(seesEvents);
  if (!seesEvents) return <Figures />;
  return <Loaded query={newest}>{({ events }) => <StartOrFigures isEmpty={events.length === 0} />}</Loaded>;
}

/** Whoever begins with the quick start stays with it until its tick is seen. */
function StartOrFigures({ isEmpty }: { isEmpty: boolean }) {
  const [isStarting, setIsStarting] = useState(isEmpty);
  if (!isStarting) return <Figures />;
  return (
    <>
      <QuickStart onDone={() => setIsStarting(false)} />
      <FirstSteps />
    </>
  );
}

function Figures() {
  const range = useRange();
  const sees = {
    events: useAllows('events:read'),
    orders: useAllows('reports:read'),
    messages: useAllows('messages:read'),
  };
  return (
    <Stack gap="lg">
      <Attention />
      <FirstSteps />
      {(sees.events || sees.orders || sees.messages) && (
        <Group justify="flex-end" gap="xs">
          {range.compared && (
            <Text size="xs" c="dimmed">
              Compared with {daysWords(range.compared)}
              {range.last === range.today && ', to the same hour'}
            </Text>
          )}
          <RangePicker range={range} isCompared />
        </Group>
      )}
      {sees.orders && <Earnings range={range} />}
      {sees.messages && <Messages range={range} />}
      {sees.events && <Events />}
      <AutomationsInBrief />
    </Stack>
  );
}
