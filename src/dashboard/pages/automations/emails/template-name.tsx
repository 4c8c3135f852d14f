import { useMessageTemplates } from '../../templates/use-templates.ts';

/** A template by its name, where the key may see it; else by its id. */
export function TemplateName({ id }: { id: string }) {
  const name = useMessageTemplates()?.find((template) => template.id === id)?.name;
  return name === undefined ? id : `“${name}”`;
}
