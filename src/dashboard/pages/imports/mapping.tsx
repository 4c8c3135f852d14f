import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FootfallError, type ImportColumn, type ImportPreview } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Section } from '../../components/section.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { ColumnTable } from './column-table.tsx';
import { type Choice, choicesOf, chosen, mappingOf } from './columns.ts';
import { PreviewRows } from './preview-rows.tsx';
import { useRefreshImports } from './words.ts';

/** Milliseconds after the last change. */
const PAUSE_MS = 400;

/** What becomes of the columns of a file, and what its first rows would write. */
export function Mapping({ importId, isComplete }: { importId: string; isComplete: boolean }) {
  const query = usePreview(importId, undefined);
  return (
    <Loaded query={query}>
      {(suggested) => <Columns importId={importId} suggested={suggested} isComplete={isComplete} />}
    </Loaded>
  );
}

function usePreview(id: string, mapping: ImportColumn[] | undefined, isEnabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: ['previewImport', id, mapping],
    queryFn: ({ signal }) => client.previewImport({ id, ...(mapping && { mapping }) }, { signal }),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

function Columns({
  importId,
  suggested,
  isComplete,
}: {
  importId: string;
  suggested: ImportPreview;
  isComplete: boolean;
}) {
  const client = useClient();
  const refresh = useRefreshImports();
  const [choices, setChoices] = useState(() => choicesOf(suggested));
  const mapping = mappingOf(choices);
  const [settled] = useDebouncedValue(mapping, PAUSE_MS);
  const isSettled = JSON.stringify(settled) === JSON.stringify(mapping);
  const preview = usePreview(importId, settled, settled !== undefined);
  const starting = useMutation({
    mutationFn: (given: ImportColumn[]) => client.startImport({ id: importId, mapping: given }),
    onSettled: refresh,
  });
  const error = starting.error ?? (isSettled ? preview.error : null);
  const wrong = problemIn(error, choices);
  return (
    <>
      <Section title="Columns">
        <ColumnTable columns={suggested.columns} choices={choices} onChange={setChoices} wrong={wrong} />
        {!mapping && <Alert color="yellow">Choose a column for the e-mail address, the phone number or an id.</Alert>}
        {error && !wrong && <Failure error={error} title="These columns can't be imported" />}
      </Section>
      {mapping && (
        <Section title="The first rows">
          {isSettled && preview.data && !preview.isPlaceholderData ? (
            <PreviewRows rows={preview.data.rows} />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              {error ? 'They are shown once the columns can be imported.' : 'They are being read…'}
            </Text>
          )}
        </Section>
      )}
      <Stack gap="xs" align="flex-end">
        <Group>
          {!isComplete && (
            <Text size="sm" c="dimmed">
              It can be started once all of the file is sent.
            </Text>
          )}
          <Button
            loading={starting.isPending}
            disabled={!mapping || !isComplete || (isSettled && preview.error !== null)}
            onClick={() => mapping && starting.mutate(mapping)}
          >
            Start the import
          </Button>
        </Group>
      </Stack>
    </>
  );
}

/** The column that a refusal is about, by the place in the mapping. */
function problemIn(error: Error | null, choices: readonly Choice[]) {
  if (!(error instanceof FootfallError)) return undefined;
  const place = /^mapping\[(\d+)\]/.exec(error.field ?? '')?.[1];
  const column = place === undefined ? undefined : chosen(choices)[Number(place)]?.column;
  return column === undefined ? undefined : { column, message: error.message };
}
