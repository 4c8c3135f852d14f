import type { SegmentDefinition } from '../../../client/index.ts';
import { sentence } from './words.ts';

/** What the form can show: conditions of which all or any must be true, each of which may be negated. */
export interface Form {
  joined: 'all' | 'any';
  rows: Row[];
}

export interface Row {
  /** Only for the page. */
  key: number;
  isNegated: boolean;
  leaf: Leaf;
}

/** A single condition. */
export type Leaf = Exclude<SegmentDefinition, { all: unknown } | { any: unknown } | { not: unknown }>;
export type Kind = 'event' | 'attribute' | 'identifier' | 'profile' | 'consent' | 'list' | 'segment';

export const KINDS: Record<Kind, string> = {
  event: 'did something',
  attribute: 'has an attribute',
  identifier: 'can be reached by',
  profile: 'has been here since',
  consent: 'has consented',
  list: 'is in a list',
  segment: 'is in a segment',
};

let keys = 0;

export function newRow(leaf: Leaf, isNegated = false): Row {
  keys += 1;
  return { key: keys, isNegated, leaf };
}

/** What a condition of a kind begins with. */
export function emptyLeaf(kind: Kind): Leaf {
  switch (kind) {
    case 'event':
      return { event: { type: '' } };
    case 'attribute':
      return { attribute: { name: '', op: 'eq', value: '' } };
    case 'identifier':
      return { identifier: 'email' };
    case 'profile':
      return { profile: { time: 'created_at', window: { last: '30d' } } };
    case 'consent':
      return { consent: { channel: 'email', status: 'subscribed' } };
    case 'list':
      return { list: '' };
    case 'segment':
      return { segment: '' };
  }
}

export function kindOf(leaf: Leaf): Kind {
  return Object.keys(leaf)[0] as Kind;
}

/** Returns undefined for what the form can't show whole, which may be anything that somebody typed as JSON. */
export function toForm(definition: SegmentDefinition): Form | undefined {
  try {
    const joined = 'any' in definition ? 'any' : 'all';
    const parts = 'any' in definition ? definition.any : 'all' in definition ? definition.all : [definition];
    const rows = parts.map(toRow);
    return rows.every((row) => row !== undefined) ? { joined, rows } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws for what isn't a condition at all. */
function toRow(definition: SegmentDefinition): Row | undefined {
  const inner = 'not' in definition ? definition.not : definition;
  if ('all' in inner || 'any' in inner || 'not' in inner) return undefined;
  return isShownWhole(inner) && sentence(inner) ? newRow(inner, 'not' in definition) : undefined;
}

/** A sum, or a filter of properties, has no field: without it the condition would read as another. */
function isShownWhole(leaf: Leaf): boolean {
  if (!(kindOf(leaf) in KINDS) || Object.keys(leaf).length !== 1) return false;
  if ('event' in leaf) return leaf.event.where === undefined && leaf.event.measure !== 'sum';
  if ('list' in leaf) return typeof leaf.list === 'string';
  return !('segment' in leaf) || typeof leaf.segment === 'string';
}

export function fromForm({ joined, rows }: Form): SegmentDefinition {
  const parts = rows.map(({ isNegated, leaf }): SegmentDefinition => (isNegated ? { not: leaf } : leaf));
  if (parts.length === 1) return parts[0] as SegmentDefinition;
  return joined === 'all' ? { all: parts } : { any: parts };
}
