import { Alert, Anchor, Badge, Button, DataList, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Import as ImportData, pages } from '../../../client/index.ts';
import { patientClient, useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import type { CsvFile } from '../../components/csv-file.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useNames } from '../../conditions/use-names.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { listPath } from '../lists/use-lists.ts';
import { OpenImport } from './open-import.tsx';
import { stopUpload } from './uploads.ts';
import { STATUS_COLORS, STATUS_WORDS, useRefreshImports } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 1_000;
const ERRORS_PER_PAGE = 1_000;

/** One import: its file and what becomes of its columns, then how far it is, then what came of it. */
export function Import() {
  const { importId = '' } = useParams();
  const queryClient = useQueryClient();
  const isUnderWay = isWorkedAt(queryClient.getQueryData<ImportData>(['getImport', { id: importId }]));
  const query = useOperation('getImport', { id: importId }, isUnderWay ? { refetchInterval: REFRESH_MS } : {});
  const { data } = query;
  return (
    <PageOfOne
      query={query}
      kind="Import"
      hint="Imports are deleted seven days after their end."
      all="All imports"
      to="/imports"
      title={data?.name}
      actions={data && data.ended_at === null && <Cancel importId={data.id} />}
    >
      {(given) => (
        <>
          <About given={given} />
          {given.status === 'open' ? <OpenImport given={given} /> : <Outcome given={given} />}
        </>
      )}
    </PageOfOne>
  );
}

const isWorkedAt = (given: ImportData | undefined) => given?.status === 'queued' || given?.status === 'processing';

function Cancel({ importId }: { importId: string }) {
  const client = useClient();
  const refresh = useRefreshImports();
  const mayImport = useAllows('audiences:write', 'profiles:write');
  const cancelling = useMutation({
    mutationFn: () => {
      stopUpload(importId);
      return client.cancelImport({ id: importId });
    },
    onSettled: refresh,
  });
  if (!mayImport) return null;
  return (
    <Group gap="xs">
      {cancelling.error && <Failure error={cancelling.error} title="It was not cancelled" />}
      <Button variant="default" c="red" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancel the import
      </Button>
    </Group>
  );
}

function About({ given: { status, list_ids, backfill, created_at, started_at, ended_at } }: { given: ImportData }) {
  const names = useNames();
  return (
    <Section title="About the import">
      <DataList>
        <Item label="Status">
          <Badge color={colorOf(STATUS_COLORS, status)}>{wordsOf(STATUS_WORDS, status)}</Badge>
        </Item>
        <Item label="Joins the lists">
          {list_ids.length === 0
            ? 'None'
            : list_ids.map((id, n) => (
                <span key={id}>
                  {n > 0 && ', '}
                  <Anchor component={Link} to={listPath(id)} inherit>
                    {names(id) ?? id}
                  </Anchor>
                </span>
              ))}
        </Item>
        {backfill && <Item label="Automations">Not started: the file is history</Item>}
        <Item label="Opened">
          <Time value={created_at} />
        </Item>
        {started_at && (
          <Item label="Started">
            <Time value={started_at} />
          </Item>
        )}
        {ended_at && (
          <Item label="Ended">
            <Time value={ended_at} />
          </Item>
        )}
      </DataList>
    </Section>
  );
}

function Outcome({ given }: { given: ImportData }) {
  const { status, failure, progress_ratio, rows } = given;
  return (
    <Section title={given.ended_at === null ? 'How far it is' : 'What came of it'}>
      {failure !== null && (
        <Alert color="red" title="The import has failed">
          {failure}
        </Alert>
      )}
      {isWorkedAt(given) && (
        <Stack gap={4}>
          <Progress aria-label="Imported" value={progress_ratio * 100} />
          <Text size="sm" role="status">
            {status === 'queued'
              ? 'Imports of a store are worked at from the oldest on; several may be under way at once.'
              : `${percent(progress_ratio)} done`}
          </Text>
        </Stack>
      )}
      <DataList>
        <Item label="Rows read">{count(rows.read)}</Item>
        <Item label="Created">{count(rows.created)}</Item>
        <Item label="Updated">{count(rows.updated)}</Item>
        <Item label="Not written">{count(rows.failed)}</Item>
      </DataList>
      {given.errors_kept > 0 && <Errors given={given} />}
    </Section>
  );
}

const percent = (ratio: number) => `${Math.floor(ratio * 100)} %`;

/** The rows that were not written, with their lines, for the spreadsheet that the file is from. */
function Errors({ given: { id, name, errors_kept, rows } }: { given: ImportData }) {
  const file: CsvFile = {
    name: `${name ?? 'import'}.errors.csv`,
    header: ['line', 'column', 'value', 'problem'],
    async *rows(signal) {
      for await (const { errors } of pages(
        patientClient().listImportErrors,
        { id, limit: ERRORS_PER_PAGE },
        { signal },
      )) {
        for (const { line, column, value, message } of errors) yield [line, column, value, message];
      }
    },
  };
  return (
    <Group gap="sm">
      <CsvButton file={file}>Download the errors</CsvButton>
      {errors_kept < rows.failed && (
        <Text size="sm" c="dimmed">
          The first {count(errors_kept)} are kept.
        </Text>
      )}
    </Group>
  );
}
