import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pages, type TemplateSummary } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useAllows } from '../../session/current-caller.tsx';

const READ: readonly unknown[] = [
  'getTemplate',
  'listTemplates',
  'listTemplateVersions',
  'getTemplateVersion',
  'renderTemplate',
];
/** Milliseconds for which names need not be read again. */
const STALE_MS = 60_000;

export const templatePath = (id: string): string => `/templates/${id}`;

/** Reads again what is shown of templates, after something of them was changed. */
export function useRefreshTemplates(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}

/** All templates of the store, archived ones among them; undefined until they are read. Not without the scope. */
export function useTemplates({ enabled = true } = {}): readonly TemplateSummary[] | undefined {
  const client = useClient();
  const mayRead = useAllows('messages:read');
  return useQuery({
    queryKey: ['listTemplates', 'all'],
    queryFn: async ({ signal }) => {
      const found: TemplateSummary[] = [];
      for await (const { templates } of pages(client.listTemplates, { limit: 100 }, { signal }))
        found.push(...templates);
      return found;
    },
    staleTime: STALE_MS,
    enabled: enabled && mayRead,
  }).data;
}

/** Those of them that messages may be made of. */
export function useMessageTemplates(options?: { enabled?: boolean }): readonly TemplateSummary[] | undefined {
  return useTemplates(options)?.filter(({ use }) => use === 'message');
}
