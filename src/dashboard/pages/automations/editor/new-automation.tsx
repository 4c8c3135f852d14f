import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Automation } from '../../../../client/index.ts';
import { Page } from '../../../components/page.tsx';
import { definitionFrom } from '../create.tsx';
import { Editor } from './editor.tsx';

/** Edits an automation that there is only once it is saved. */
export function NewAutomation() {
  const [params] = useSearchParams();
  const { state } = useLocation();
  // With the ids of what was created for it, where it has begun on the page before.
  const [automation] = useState(() => unsaved(state?.definition ?? definitionFrom(params.get('from'))));
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
