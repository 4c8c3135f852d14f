import { PlusIcon, UploadIcon } from '@primer/octicons-react';
import { NEW } from '../components/use-new-dialog.ts';
import { useAllows } from '../session/current-caller.tsx';
import { type MainPage, usePages } from '../shell/pages.ts';

/** Something that one can go to. */
export interface Target extends MainPage {
  /** What tells it from others. */
  detail: string | null;
  /** The heading under which it stands. */
  group: string;
}

/** What is offered before anything is typed, and found by words of its label: pages, and what can be begun. */
export function useOwnTargets(): Target[] {
  const { pages, reports, settings } = usePages();
  const creating = (to: string, label: string): MainPage => ({ to, label, Icon: PlusIcon });
  const actions: MainPage[] = [
    ...(useAllows('audiences:write', 'audiences:read')
      ? [creating('/segments/new', 'New segment'), creating(`/lists${NEW}`, 'New list')]
      : []),
    ...(useAllows('automations:write', 'automations:read') ? [creating('/automations/new', 'New automation')] : []),
    ...(useAllows('messages:write', 'messages:read')
      ? [creating(`/campaigns${NEW}`, 'New campaign'), creating(`/templates${NEW}`, 'New template')]
      : []),
    ...(useAllows('settings:manage') ? [creating(`/settings/people${NEW}`, 'Invite somebody')] : []),
    ...(useAllows('profiles:write', 'audiences:read')
      ? [{ to: '/imports/new', label: 'Import customers', Icon: UploadIcon }]
      : []),
  ];
  const named = [
    ...reports.map((page) => ({ ...page, label: `Reports → ${page.label}` })),
    ...settings.map((page) => ({ ...page, label: `Settings → ${page.label}` })),
  ];
  return [
    ...[...pages, ...named].map((page) => ({ ...page, detail: null, group: 'Pages' })),
    ...actions.map((action) => ({ ...action, detail: null, group: 'Actions' })),
  ];
}

/** Those with all words of a text in their labels. */
export function matching(targets: readonly Target[], text: string): Target[] {
  const words = text.toLowerCase().split(/\s+/);
  return targets.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
