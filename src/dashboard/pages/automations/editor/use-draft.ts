import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Automation, type DefinitionProblem, FootfallError } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { type AutomationDefinition, known } from '../../../definitions.ts';
import { missingNumbers } from './missing-numbers.ts';

export interface Draft {
  definition: AutomationDefinition;
  change: (definition: AutomationDefinition) => void;
  /** As it was read or saved last. */
  saved: Automation;
  isChanged: boolean;
  /** There is none of it yet but here. */
  isNew: boolean;
  /** Why it can't be saved, or could not; else what is wrong with it as it was saved. */
  problems: readonly DefinitionProblem[];
  /** The definition in which they are. */
  checked: AutomationDefinition;
  isRefused: boolean;
  /** It can't be saved as it is now. */
  isUnfinished: boolean;
  save: () => void;
  isSaving: boolean;
  /** Why it was not saved, where that is not of a field of it. */
  error: Error | undefined;
  /** Somebody else has saved it meanwhile. */
  isStale: boolean;
  /** Goes on from what somebody else has saved: from theirs, or with one's own in its place. */
  takeTheirs: () => void;
  overwriteTheirs: () => void;
}

/** A draft that is edited, and saved as a whole. */
export function useDraft(automation: Automation): Draft {
  const client = useClient();
  const queryClient = useQueryClient();
  const [saved, setSaved] = useState(automation);
  const [definition, setDefinition] = useState(known(automation.draft));
  const { id } = saved;
  const isNew = id === '';
  const savedDraft = known(saved.draft);
  const isChanged = definition !== savedDraft;
  const keep = (after: Automation) => {
    setSaved(after);
    queryClient.setQueryData(['getAutomation', { id: after.id }], after);
    void queryClient.invalidateQueries({ queryKey: ['listAutomations'] });
  };
  const saving = useMutation({
    mutationFn: ({ revision, draft }: { revision: number; draft: AutomationDefinition }) =>
      isNew
        ? client.createAutomation({ definition: draft })
        : client.updateAutomation({ id, revision, definition: draft }),
    onSuccess: (after, { draft }) => {
      keep(after);
      // What was changed while it was saved is kept.
      setDefinition((now) => (now === draft ? known(after.draft) : now));
    },
  });
  const reading = useMutation({ mutationFn: () => client.getAutomation({ id }) });
  const problem = problemOf(saving.error);
  const missing = missingNumbers(definition);
  return {
    definition,
    change: setDefinition,
    saved,
    isChanged,
    isNew,
    problems: missing.length > 0 ? missing : problem ? [problem] : saved.problems,
    checked: missing.length > 0 ? definition : savedDraft,
    isRefused: problem !== undefined,
    isUnfinished: missing.length > 0,
    save: () => saving.mutate({ revision: saved.revision, draft: definition }),
    isSaving: saving.isPending || reading.isPending,
    error: (problem ? undefined : isStale(saving.error) ? undefined : saving.error) ?? reading.error ?? undefined,
    isStale: isStale(saving.error),
    takeTheirs: () =>
      reading.mutate(undefined, {
        onSuccess: (theirs) => {
          saving.reset();
          keep(theirs);
          setDefinition(known(theirs.draft));
        },
      }),
    overwriteTheirs: () =>
      reading.mutate(undefined, {
        onSuccess: ({ revision }) => saving.mutate({ revision, draft: definition }),
      }),
  };
}

function isStale(error: Error | null): boolean {
  return error instanceof FootfallError && error.code === 'validation_error' && error.field === 'revision';
}

/** Why the service refused to save, where that is a field of the definition. */
function problemOf(error: Error | null): DefinitionProblem | undefined {
  if (!(error instanceof FootfallError) || error.code !== 'validation_error' || isStale(error)) return undefined;
  return { field: error.field?.replace(/^definition\.?/, '') ?? null, message: error.message };
}
