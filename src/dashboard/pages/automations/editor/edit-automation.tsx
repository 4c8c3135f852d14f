import { Anchor } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { Page } from '../../../components/page.tsx';
import { Loaded } from '../../../components/states.tsx';
import { NoAutomation } from '../automation.tsx';
import { Editor } from './editor.tsx';

/** Changes the draft of an automation. */
export function EditAutomation() {
  const { automationId = '' } = useParams();
  const query = useOperation('getAutomation', { id: automationId });
  if (query.error instanceof FootfallError && query.error.code === 'not_found') return <NoAutomation />;
  return (
    <Page
      title={query.data ? `Edit “${query.data.name}”` : 'Edit'}
      description={
        <>
          Changes of the draft take effect when you publish it.{' '}
          <Anchor component={Link} to={`/automations/${automationId}`} inherit underline="always">
            Back to the automation
          </Anchor>
        </>
      }
    >
      <Loaded query={query}>{(automation) => <Editor key={automation.id} automation={automation} />}</Loaded>
    </Page>
  );
}
