import { useQuery } from '@tanstack/react-query';
import { pages, type TemplateSummary } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { useAllows } from '../../../session/current-key.tsx';

/** Milliseconds for which templates need not be read again. */
const STALE_MS = 60_000;
const OF_MESSAGES = { use: 'message', limit: 100 } as const;

/** The templates that an e-mail may be made of, archived ones among them; undefined until they are read. Not without the scope. */
export function useTemplates({ enabled = true } = {}): readonly TemplateSummary[] | undefined {
  const client = useClient();
  const mayRead = useAllows('messages:read');
  return useQuery({
    queryKey: ['listTemplates', 'message'],
    queryFn: async ({ signal }) => {
      const found: TemplateSummary[] = [];
      for await (const { templates } of pages(client.listTemplates, OF_MESSAGES, { signal })) found.push(...templates);
      return found.filter(({ kind }) => kind !== 'sms');
    },
    staleTime: STALE_MS,
    enabled: enabled && mayRead,
  }).data;
}
