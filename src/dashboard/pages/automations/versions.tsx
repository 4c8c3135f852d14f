import { Button, Code, Modal } from '@mantine/core';
import { useState } from 'react';
import type { AutomationVersionSummary } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { IN_FLIGHT_WORDS } from './words/reasons.ts';

const PAGE = 10;

/** What was published, by whom and when. `latest` is the number of the latest one. */
export function Versions({ automationId, latest }: { automationId: string; latest: number }) {
  // Read anew with each publication.
  const query = useRows('listAutomationVersions', { id: automationId, limit: PAGE }, ({ versions }) =>
    versions.map((version) => ({ ...version, id: `${latest} ${version.number}` })),
  );
  const [shown, setShown] = useState<number>();
  const columns: Column<AutomationVersionSummary>[] = [
    { header: 'Version', width: 90, render: ({ number }) => number },
    { header: 'Published', width: 225, render: ({ published_at }) => <Time value={published_at} /> },
    { header: 'By the key', render: ({ published_by }) => <Code>{published_by}</Code> },
    { header: 'Active runs', width: 110, align: 'right', render: ({ active_runs }) => count(active_runs) },
    {
      header: 'In flight',
      render: ({ in_flight, number }) => (number === 1 ? '–' : wordsOf(IN_FLIGHT_WORDS, in_flight)),
    },
    {
      header: 'Definition',
      width: 100,
      align: 'right',
      render: ({ number }) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setShown(number)}
          aria-label={`Show version ${number}`}
        >
          Show
        </Button>
      ),
    },
  ];
  return (
    <Section title="Versions">
      <Loaded query={query}>
        {(versions) => (
          <DataTable
            label="Versions"
            columns={columns}
            rows={versions}
            rowKey={({ number }) => String(number)}
            pages={query}
            minWidth={820}
          />
        )}
      </Loaded>
      {shown !== undefined && (
        <Definition automationId={automationId} number={shown} onClose={() => setShown(undefined)} />
      )}
    </Section>
  );
}

function Definition({ automationId, number, onClose }: { automationId: string; number: number; onClose: () => void }) {
  const query = useOperation(
    'getAutomationVersion',
    { id: automationId, number: String(number) },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <Modal opened onClose={onClose} size="xl" title={`Version ${number}`}>
      <Loaded query={query}>{({ definition }) => <Json value={definition} label={`Version ${number}`} />}</Loaded>
    </Modal>
  );
}
