import { Stack, Text } from '@mantine/core';
import type { TemplateVersion } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { CopyableCode, Json } from '../../components/copyable-code.tsx';
import { PublishedVersions } from '../../components/published-versions.tsx';
import { Loaded } from '../../components/states.tsx';

const PAGE = 10;

/** What was published, by whom and when. `latest` is the number of the latest one. */
export function Versions({ templateId, latest }: { templateId: string; latest: number }) {
  const query = useRows('listTemplateVersions', { id: templateId, limit: PAGE }, ({ versions }) =>
    versions.map((version) => ({ ...version, id: `${latest} ${version.number}` })),
  );
  return (
    <PublishedVersions query={query} content="What it says" minWidth={680}>
      {(number) => <Version templateId={templateId} number={number} />}
    </PublishedVersions>
  );
}

function Version({ templateId, number }: { templateId: string; number: string }) {
  const args = { id: templateId, number };
  const query = useOperation('getTemplateVersion', args, { staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={query}>{(version) => <Content version={version} />}</Loaded>;
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
