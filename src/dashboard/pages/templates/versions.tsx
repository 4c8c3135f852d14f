import { Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { TemplateVersion, TemplateVersionSummary } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { CopyableCode, Json } from '../../components/copyable-code.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';

const PAGE = 10;

/** What was published, by whom and when. `latest` is the number of the latest one. */
export function Versions({ templateId, latest }: { templateId: string; latest: number }) {
  const query = useRows('listTemplateVersions', { id: templateId, limit: PAGE }, ({ versions }) =>
    versions.map((version) => ({ ...version, id: `${latest} ${version.number}` })),
  );
  const [shown, setShown] = useState<number>();
  const columns: Column<TemplateVersionSummary>[] = [
    { header: 'Version', width: 90, render: ({ number }) => number },
    { header: 'Published', width: 225, render: ({ published_at }) => <Time value={published_at} /> },
    { header: 'By the key', isWholeLine: true, render: ({ published_by }) => <Code>{published_by}</Code> },
    {
      header: 'What it says',
      width: 120,
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
            minWidth={680}
          />
        )}
      </Loaded>
      {shown !== undefined && <Version templateId={templateId} number={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

function Version({ templateId, number, onClose }: { templateId: string; number: number; onClose: () => void }) {
  const query = useOperation(
    'getTemplateVersion',
    { id: templateId, number: String(number) },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <Modal opened onClose={onClose} size="xl" title={`Version ${number}`}>
      <Loaded query={query}>{(version) => <Content version={version} />}</Loaded>
    </Modal>
  );
}

function Content({ version: { draft, copied } }: { version: TemplateVersion }) {
  const { body, ...others } = draft;
  return (
    <Stack>
      {typeof body === 'string' ? <CopyableCode code={body} label="Body" /> : <Json value={body} label="Body" />}
      <Json value={others} label="All else" />
      {copied.length > 0 && (
        <>
          <Text size="sm">With these versions of layouts and snippets:</Text>
          <Json value={copied} label="Layouts and snippets" />
        </>
      )}
    </Stack>
  );
}
