import type { Profile } from '../../../client/index.ts';

/** What to call a customer: the name, where the attributes have one, else what identifies them. */
export function nameOf({ attributes, identifiers, id }: Profile): string {
  const names = [attributes.first_name, attributes.last_name].filter((name) => typeof name === 'string' && name !== '');
  return names.join(' ') || identifiers.email || identifiers.phone || identifiers.external_id || id;
}
