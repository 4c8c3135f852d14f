import type { Leaf } from './condition.ts';

export type AudienceKind = 'list' | 'segment';

/** A list or a segment of the store, by its id in lower case. */
export interface Audience {
  kind: AudienceKind;
  id: string;
}

/** Which list or segment a leaf asks for, if it does for any. */
export function audienceOf(leaf: Leaf): Audience | undefined {
  if ('list' in leaf) return { kind: 'list', id: leaf.list.toLowerCase() };
  return 'segment' in leaf ? { kind: 'segment', id: leaf.segment.toLowerCase() } : undefined;
}
