import { Alert, Badge, Grid } from '@mantine/core';
import { useParams } from 'react-router';
import type { Template as TemplateData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { Editor } from './editor/editor.tsx';
import { Preview } from './preview/preview.tsx';
import { Versions } from './versions.tsx';
import { KIND_WORDS, STATUS_COLORS, USE_WORDS } from './words.ts';

/** One template: its draft, what that says to a customer, and what was published. */
export function Template() {
  const { templateId = '' } = useParams();
  const query = useOperation('getTemplate', { id: templateId });
  const mayRender = useAllows('messages:read', 'events:read', 'profiles:read');
  return (
    <PageOfOne
      query={query}
      kind="Template"
      all="All templates"
      to="/templates"
      title={query.data?.name}
      state={query.data && <State template={query.data} />}
    >
      {(template) => (
        <>
          {template.status === 'archived' && (
            <Alert color="gray" role="status">
              This template is archived: it can’t be changed any more.
            </Alert>
          )}
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: mayRender ? 6 : 12 }}>
              <Editor key={template.id} template={template} />
            </Grid.Col>
            {mayRender && (
              <Grid.Col span={{ base: 12, lg: 6 }}>
                <Preview key={template.id} templateId={template.id} />
              </Grid.Col>
            )}
          </Grid>
          {template.version !== null && <Versions templateId={template.id} latest={template.version} />}
        </>
      )}
    </PageOfOne>
  );
}

function State({ template: { kind, use, status, version } }: { template: TemplateData }) {
  return (
    <>
      <Badge component="span" color={colorOf(STATUS_COLORS, status)}>
        {status}
      </Badge>
      {version === null ? 'Never published' : `Version ${version}`} · {wordsOf(USE_WORDS, use)},{' '}
      {wordsOf(KIND_WORDS, kind)} ·
    </>
  );
}
