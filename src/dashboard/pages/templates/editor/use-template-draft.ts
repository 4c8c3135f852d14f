import { useQueryClient } from '@tanstack/react-query';
import type { Template } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { known, type TemplateDraft } from '../../../definitions.ts';
import { type SavedDraft, useSavedDraft } from '../../../drafts/use-saved-draft.ts';

/** The draft of a template. */
export function useTemplateDraft(template: Template): SavedDraft<Template, TemplateDraft> {
  const client = useClient();
  const queryClient = useQueryClient();
  return useSavedDraft<Template, TemplateDraft>({
    initial: template,
    draftOf: ({ draft }) => known(draft),
    write: ({ id }, revision, draft) => client.updateTemplate({ id, revision, ...draft }),
    read: ({ id }) => client.getTemplate({ id }),
    keep: (after) => {
      queryClient.setQueryData(['getTemplate', { id: after.id }], after);
      void queryClient.invalidateQueries({ queryKey: ['listTemplates'] });
      void queryClient.invalidateQueries({ queryKey: ['renderTemplate'] });
    },
  });
}
