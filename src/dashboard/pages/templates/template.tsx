import { Alert, Anchor, Badge, Grid, Group } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError, type Template as TemplateData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
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
  const all = (
    <Anchor component={Link} to="/templates" inherit underline="always">
      All templates
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Template">
        <Empty title="Template not found" action={all} />
      </Page>
    );
  }
  return (
    <Page
      title={query.data?.name ?? 'Template'}
      description={
        <Group component="span" gap="xs">
          {query.data && <State template={query.data} />}
          {all}
        </Group>
      }
    >
      <Loaded query={query}>
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
      </Loaded>
    </Page>
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
