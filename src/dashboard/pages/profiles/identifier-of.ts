import type { Profile } from '../../../client/index.ts';

/** How a request names a customer; undefined for one who has nothing but an anonymous id. */
export function identifierOf({ identifiers }: Profile): { [kind: string]: string } | undefined {
  const kinds = ['external_id', 'email', 'phone', 'source_id'] as const;
  for (const kind of kinds) {
    const value = identifiers[kind];
    if (value !== null && value !== undefined) return { [kind]: value };
  }
  return undefined;
}
