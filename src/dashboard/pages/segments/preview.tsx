import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SegmentPreview } from '../../../client/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { sentence } from '../../conditions/sentence.ts';
import { useNames } from '../../conditions/use-names.ts';
import { known } from '../../definitions.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { Findings } from './findings.tsx';
import type { useLivePreview } from './use-live-preview.ts';

/** Who would be in a segment: how many, some of them and why, and for how many each condition is true. */
export function Preview({
  preview: { query, isComplete, isCurrent },
  isErrorPlaced,
}: {
  preview: ReturnType<typeof useLivePreview>;
  /** Whether the error is said at its condition. */
  isErrorPlaced: boolean;
}) {
  const { data, error, isFetching, refetch } = query;
  const isNow = isCurrent && data !== undefined && !error;
  return (
    <Section title="Who would be in it" aria-busy={isComplete && !isNow}>
      {isCurrent && error && !isErrorPlaced && (
        <Failure error={error} title="It can't be tried" onRetry={() => refetch()} isRetrying={isFetching} />
      )}
      {isNow ? (
        <Found preview={data} />
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {waitingWords(isComplete, isCurrent && error !== null)}
          {data && !isCurrent && ` Before the last change: ${totalWords(data)}.`}
        </Text>
      )}
    </Section>
  );
}

function waitingWords(isComplete: boolean, isRefused: boolean): string {
  if (!isComplete) return 'It is worked out once all conditions are filled in; nothing is saved by that.';
  return isRefused ? 'It is worked out once the conditions can be tried.' : 'Being worked out…';
}

function totalWords({
  profile_count: profiles,
  evaluated,
  member_estimate: { estimate, low, high },
}: SegmentPreview): string {
  const of = `${count(estimate)} of ${count(profiles)} customers`;
  return evaluated === profiles ? of : `about ${of}, between ${count(low)} and ${count(high)}`;
}

function Found({ preview }: { preview: SegmentPreview }) {
  const { profile_count: profiles, evaluated, conditions, sample, warnings } = preview;
  const names = useNames();
  const [explained, setExplained] = useState<SegmentPreview['sample'][number]>();
  const total = totalWords(preview);
  const ofCustomers = (some: number) => (evaluated === profiles ? count(some) : share(some, evaluated));
  return (
    <Stack>
      <Text role="status">{total[0]?.toUpperCase() + total.slice(1)}</Text>
      {warnings.map(({ path, message }) => (
        <Alert key={path} color="yellow">
          {path}: {message}
        </Alert>
      ))}
      <DataTable
        label="Conditions"
        file={null}
        columns={[
          { header: 'Everyone', isWholeLine: true, render: ({ condition }) => sentence(known(condition), names) },
          { header: 'True for', width: 110, align: 'right', render: ({ match_count }) => ofCustomers(match_count) },
          { header: 'Not set for', width: 110, align: 'right', render: ({ unset_count }) => ofCustomers(unset_count) },
        ]}
        rows={conditions}
        rowKey={({ path }) => path}
        minWidth={480}
      />
      {sample.length > 0 && (
        <DataTable
          label="Some of them"
          file={null}
          columns={[
            {
              header: 'Some of them',
              isWholeLine: true,
              render: ({ profile_id }) => <CustomerLink id={profile_id} />,
            },
            {
              header: 'Reasons',
              width: 110,
              render: (one) => (
                <Button size="compact-xs" variant="default" onClick={() => setExplained(one)}>
                  Why?
                </Button>
              ),
            },
          ]}
          rows={sample}
          rowKey={({ profile_id }) => profile_id}
          minWidth={300}
        />
      )}
      {explained && (
        <Modal opened onClose={() => setExplained(undefined)} size="xl" title="Why this customer would be in it">
          <Findings conditions={explained.conditions} />
        </Modal>
      )}
    </Stack>
  );
}
