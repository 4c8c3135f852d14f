import { useState } from 'react';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { Figures } from './figures.tsx';
import { QuickStart } from './quick-start.tsx';
import { UnknownStore } from './unknown-store.tsx';
import { useStats } from './use-stats.ts';

/** How the store is doing; or, as long as nothing was recorded, how to record something. */
export function Overview() {
  const newest = useOperation('listEvents', { limit: 1 }, { staleTime: Number.POSITIVE_INFINITY });
  // Asked for at the same time, because they are mostly what is shown next.
  useStats();
  return (
    <Page title="Overview" description="What was recorded, what was refused, and how the service is doing.">
      <UnknownStore />
      <Loaded query={newest}>{({ events }) => <StartOrFigures isEmpty={events.length === 0} />}</Loaded>
    </Page>
  );
}

/** Whoever begins with the quick start stays with it until its tick is seen. */
function StartOrFigures({ isEmpty }: { isEmpty: boolean }) {
  const [isStarting, setIsStarting] = useState(isEmpty);
  return isStarting ? <QuickStart onDone={() => setIsStarting(false)} /> : <Figures />;
}
