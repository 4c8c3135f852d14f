import { useOperation, useRows } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { count } from '../../components/numbers.ts';
import { PublishedVersions } from '../../components/published-versions.tsx';
import { Loaded } from '../../components/states.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { IN_FLIGHT_WORDS } from './words/reasons.ts';

const PAGE = 10;

/** What was published, by whom and when. `latest` is the number of the latest one. */
export function Versions({ automationId, latest }: { automationId: string; latest: number }) {
  // Read anew with each publication.
  const query = useRows('listAutomationVersions', { id: automationId, limit: PAGE }, ({ versions }) =>
    versions.map((version) => ({ ...version, id: `${latest} ${version.number}` })),
  );
  return (
    <PublishedVersions
      query={query}
      columns={[
        { header: 'Active runs', width: 110, align: 'right', render: ({ active_runs }) => count(active_runs) },
        {
          header: 'In flight',
          render: ({ in_flight, number }) => (number === 1 ? '–' : wordsOf(IN_FLIGHT_WORDS, in_flight)),
        },
      ]}
      content="Definition"
      minWidth={820}
    >
      {(number) => <Definition automationId={automationId} number={number} />}
    </PublishedVersions>
  );
}

function Definition({ automationId, number }: { automationId: string; number: string }) {
  const args = { id: automationId, number };
  const query = useOperation('getAutomationVersion', args, { staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={query}>{({ definition }) => <Json value={definition} label={`Version ${number}`} />}</Loaded>;
}
