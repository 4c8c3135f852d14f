import type { Caller, Scope } from '../caller.ts';
import { leavesOf } from '../conditions/tree.ts';
import { expectScopes, READS } from '../expect-scopes.ts';
import type { Definition, Leaf, LeafKind } from './core/definition.ts';

/** Of a list and of a segment, those of the operations that list their members. */
const OF_LEAF: Record<Exclude<LeafKind, 'profile'>, readonly Scope[]> = {
  event: ['events:read'],
  attribute: ['profiles:read'],
  identifier: ['profiles:read'],
  consent: ['profiles:read'],
  list: ['audiences:read'],
  segment: ['audiences:read', 'profiles:read'],
};

/** Throws `forbidden` unless the caller may read all that a definition asks for: by counting, it would tell that. */
export function expectScopesToDefine(caller: Caller, definition: Definition): void {
  const needed = [...leavesOf(definition)].flatMap(({ leaf }) => scopesOf(leaf));
  expectScopes(caller, needed, READS);
}

function scopesOf(leaf: Leaf): readonly Scope[] {
  if ('profile' in leaf) return leaf.profile.time === 'last_event_at' ? ['events:read'] : ['profiles:read'];
  return OF_LEAF[Object.keys(leaf)[0] as keyof typeof OF_LEAF];
}
