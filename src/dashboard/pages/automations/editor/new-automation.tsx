import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Automation } from '../../../../client/index.ts';
import { Page } from '../../../components/page.tsx';
import { definitionFrom } from '../create.tsx';
import { Editor } from './editor.tsx';

/** Edits an automation that there is only once it is saved. */
export function NewAutomation() {
  const [params] = useSearchParams();
  const from = params.get('from');
  const [automation] = useState(() => unsaved(definitionFrom(from)));
  return (
    <Page title="New automation" description="It is kept once you save it, and does nothing before you publish it.">
      <Editor automation={automation} />
    </Page>
  );
}

function unsaved(draft: Automation['draft']): Automation {
  return {
    id: '',
    name: draft.name,
    status: 'draft',
    revision: 0,
    version: null,
    active_runs: 0,
    is_held: false,
    created_at: '',
    updated_at: '',
    takes_client_events: false,
    draft,
    problems: [],
    warnings: [],
  };
}
