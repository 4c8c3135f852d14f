import type { ComponentProps } from 'react';
import type { TemplateSummary } from '../../../client/index.ts';
import { NamedSelect } from '../../components/named-select.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useTemplates } from './use-templates.ts';

/** Chooses a template; one that can't be used as it is says so. */
export function TemplateSelect({
  fits,
  value,
  ...props
}: {
  fits: (template: TemplateSummary) => boolean;
} & Omit<ComponentProps<typeof NamedSelect>, 'known' | 'mayList'>) {
  const mayList = useAllows('messages:read');
  const templates = useTemplates()?.filter((template) => fits(template) || template.id === value);
  const known = templates?.map(({ id, name, status }) => ({ id, name: name + (STATE_WORDS[String(status)] ?? '') }));
  return <NamedSelect label="Template" {...props} known={known} mayList={mayList} value={value} />;
}

const STATE_WORDS: Readonly<Record<string, string>> = { draft: ' (not published)', archived: ' (archived)' };
