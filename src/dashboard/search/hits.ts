import {
  FilterIcon,
  type Icon,
  ListUnorderedIcon,
  MegaphoneIcon,
  MeterIcon,
  PackageDependentsIcon,
  PackageIcon,
  PersonIcon,
  TypographyIcon,
  WorkflowIcon,
} from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchKind } from '../../client/index.ts';
import { useClient } from '../api/client.tsx';
import { useAllows } from '../session/current-caller.tsx';
import type { Target } from './targets.ts';

/** Milliseconds for which an answer need not be asked for again. */
const STALE_MS = 10_000;

const KINDS: Record<SearchKind, { group: string; Icon: Icon; to: (id: string) => string }> = {
  customer: { group: 'Customers', Icon: PersonIcon, to: (id) => `/profiles/${id}` },
  order: { group: 'Orders', Icon: PackageDependentsIcon, to: (id) => `/orders/${encodeURIComponent(id)}` },
  segment: { group: 'Segments', Icon: FilterIcon, to: (id) => `/segments/${id}` },
  list: { group: 'Lists', Icon: ListUnorderedIcon, to: (id) => `/lists/${id}` },
  automation: { group: 'Automations', Icon: WorkflowIcon, to: (id) => `/automations/${id}` },
  campaign: { group: 'Campaigns', Icon: MegaphoneIcon, to: (id) => `/campaigns/${id}` },
  template: { group: 'Templates', Icon: TypographyIcon, to: (id) => `/templates/${id}` },
  item: { group: 'Items', Icon: PackageIcon, to: (id) => `/catalog/${encodeURIComponent(id)}` },
  event_type: { group: 'Event types', Icon: MeterIcon, to: (id) => `/event-types/${encodeURIComponent(id)}` },
};

interface Found {
  targets: Target[];
  /** Groups of which there may be more. */
  incomplete: string[];
  error: Error | null;
  isSettled: boolean;
}

/** What the store has by a text, of whatever kind; older requests are aborted. `targets` are those of the text before until then. */
export function useHits(text: string): Found {
  const client = useClient();
  const readsReports = useAllows('reports:read');
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => client.search({ q: text }, { signal }),
    enabled: text !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const hits = text === '' ? [] : (data?.hits ?? []);
  return {
    targets: hits.flatMap((hit) => targetOf(hit, readsReports) ?? []),
    incomplete:
      text === '' ? [] : (data?.incomplete ?? []).flatMap((kind) => (isKnown(kind) ? [KINDS[kind].group] : [])),
    error: text === '' ? null : error,
    isSettled: text === '' || (!isFetching && !isPlaceholderData),
  };
}

/** Undefined for a kind that a later version has added. */
function targetOf({ kind, id, title, subtitle }: SearchHit, readsReports: boolean): Target | undefined {
  if (!isKnown(kind)) return undefined;
  const { group, Icon, to } = KINDS[kind];
  const path = (!readsReports && OF_EVENTS[kind]?.(id)) || to(id);
  return { to: path, label: title, detail: subtitle, group, Icon };
}

/** Where those see it who may read events, and no reports. */
const OF_EVENTS: Partial<Record<SearchKind, (id: string) => string>> = {
  order: (id) => `/profiles?order_id=${encodeURIComponent(id)}`,
  event_type: (id) => `/events?event_type=${encodeURIComponent(id)}`,
};

function isKnown(kind: string): kind is SearchKind {
  return Object.hasOwn(KINDS, kind);
}
