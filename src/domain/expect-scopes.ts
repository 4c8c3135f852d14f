import type { Caller, Scope } from './caller.ts';
import { type Condition, type Leaf, type LeafKind, leafKind, type ValueOf } from './conditions/condition.ts';
import type { DateTest } from './conditions/dates.ts';
import { leavesOf } from './conditions/tree.ts';
import { ServiceError } from './service-error.ts';

/** Throws `forbidden` unless the caller has all of the scopes; `what` needs them: "steps of the automation need". */
export function expectScopes({ scopes }: Caller, needed: Iterable<Scope>, what: string): void {
  for (const scope of needed) {
    if (scopes.has(scope)) continue;
    throw new ServiceError('forbidden', `The API key lacks the scope ${scope}, which ${what}`);
  }
}

/** What a definition asks for shows in its counts and its previews, though only one by one. */
export const READS = 'what the definition reads needs';

/** Of a list and of a segment, those of the operations that list their members. */
const OF_LEAF: Record<Exclude<LeafKind, 'profile' | 'date'>, readonly Scope[]> = {
  property: ['events:read'],
  from: [],
  items: ['events:read'],
  did: ['events:read'],
  events: ['events:read'],
  occurrence: ['events:read'],
  sequence: ['events:read'],
  attribute: ['profiles:read'],
  identifier: ['profiles:read'],
  consent: ['profiles:read'],
  share: ['profiles:read'],
  item: ['catalog:read'],
  list: ['audiences:read'],
  segment: ['audiences:read', 'profiles:read'],
};

/** The scopes of what a condition asks for. */
export function scopesOf(condition: Condition): Scope[] {
  return [...leavesOf(condition)].flatMap(({ leaf }) => scopesOfLeaf(leaf));
}

function scopesOfLeaf(leaf: Leaf): readonly Scope[] {
  if ('profile' in leaf) return leaf.profile.time === 'last_event_at' ? ['events:read'] : ['profiles:read'];
  if ('date' in leaf) return scopesOfDate(leaf.date);
  const own = OF_LEAF[leafKind(leaf) as keyof typeof OF_LEAF];
  return 'value_of' in leaf && leaf.value_of ? [...own, ...scopesOfOther(leaf.value_of)] : own;
}

/** Of another value that something is compared with. */
function scopesOfOther({ attribute }: ValueOf): readonly Scope[] {
  return attribute === undefined ? ['events:read'] : ['profiles:read'];
}

function scopesOfDate({ property, time_zone }: DateTest): readonly Scope[] {
  if (property === undefined) return ['profiles:read'];
  return typeof time_zone === 'object' ? ['events:read', 'profiles:read'] : ['events:read'];
}
