import { useQueryClient } from '@tanstack/react-query';
import type { Automation, DefinitionProblem, FootfallError } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { type AutomationDefinition, known } from '../../../definitions.ts';
import { type SavedDraft, useSavedDraft } from '../../../drafts/use-saved-draft.ts';
import { missingNumbers } from './missing-numbers.ts';

export interface Draft extends Omit<SavedDraft<Automation, AutomationDefinition>, 'value' | 'refusal'> {
  definition: AutomationDefinition;
  /** There is none of it yet but here. */
  isNew: boolean;
  /** Why it can't be saved, or could not; else what is wrong with it as it was saved. */
  problems: readonly DefinitionProblem[];
  /** The definition in which they are. */
  checked: AutomationDefinition;
  isRefused: boolean;
  /** It can't be saved as it is now. */
  isUnfinished: boolean;
}

/** The draft of an automation. */
export function useDraft(automation: Automation): Draft {
  const client = useClient();
  const queryClient = useQueryClient();
  const {
    value: definition,
    refusal,
    ...draft
  } = useSavedDraft<Automation, AutomationDefinition>({
    initial: automation,
    draftOf: ({ draft }) => known(draft),
    write: ({ id }, revision, definition) =>
      id === '' ? client.createAutomation({ definition }) : client.updateAutomation({ id, revision, definition }),
    read: ({ id }) => client.getAutomation({ id }),
    keep: (after) => {
      queryClient.setQueryData(['getAutomation', { id: after.id }], after);
      void queryClient.invalidateQueries({ queryKey: ['listAutomations'] });
    },
  });
  const missing = missingNumbers(definition);
  return {
    ...draft,
    definition,
    isNew: draft.saved.id === '',
    problems: missing.length > 0 ? missing : refusal ? [problemOf(refusal)] : draft.saved.problems,
    checked: missing.length > 0 ? definition : known(draft.saved.draft),
    isRefused: refusal !== undefined,
    isUnfinished: missing.length > 0,
  };
}

/** The place of a refusal, within the definition. */
function problemOf({ field, message }: FootfallError): DefinitionProblem {
  return { field: field?.replace(/^definition\.?/, '') ?? null, message };
}
