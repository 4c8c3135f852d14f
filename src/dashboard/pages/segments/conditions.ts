import type { Condition, Leaf } from '../../definitions.ts';
import { isShownWhole } from './shown-whole.ts';

/** How many of the parts of a group must be true. */
export type By = 'all' | 'any' | 'none' | 'not_all';

/** Conditions and groups of them; a form is one. */
export interface Form {
  /** Only for the page. */
  key: number;
  by: By;
  parts: Part[];
}

export interface Row {
  key: number;
  isNegated: boolean;
  leaf: Leaf;
}

export type Part = Form | Row;

export type Kind = 'did' | 'attribute' | 'identifier' | 'profile' | 'consent' | 'list' | 'segment';

export const KINDS: Record<Kind, string> = {
  did: 'did something',
  attribute: 'has an attribute',
  identifier: 'can be reached by',
  profile: 'has been here since',
  consent: 'has consented',
  list: 'is in a list',
  segment: 'is in a segment',
};

let keys = 0;

function newKey(): number {
  keys += 1;
  return keys;
}

export function newRow(leaf: Leaf, isNegated = false): Row {
  return { key: newKey(), isNegated, leaf };
}

export function newGroup(by: By, parts: Part[]): Form {
  return { key: newKey(), by, parts };
}

export const isGroup = (part: Part): part is Form => 'parts' in part;

/** What a condition of a kind begins with. */
export function emptyLeaf(kind: Kind): Leaf {
  switch (kind) {
    case 'did':
      return { did: { event_type: '' } };
    case 'attribute':
      return { attribute: '', op: 'eq', value: '' };
    case 'identifier':
      return { identifier: 'email', op: 'exists' };
    case 'profile':
      return { profile: { time: 'created_at', window: { last: 'P30D' } } };
    case 'consent':
      return { consent: { channel: 'email', status: 'subscribed' } };
    case 'list':
      return { list: '' };
    case 'segment':
      return { segment: '' };
  }
}

export function kindOf(leaf: Leaf): Kind {
  return (Object.keys(KINDS) as Kind[]).find((kind) => kind in leaf) as Kind;
}

/** Returns undefined for what the form can't show whole, which may be anything that somebody typed as JSON. */
export function toForm(definition: Condition): Form | undefined {
  try {
    const part = toPart(definition);
    return part && (isGroup(part) ? part : newGroup('all', [part]));
  } catch {
    return undefined;
  }
}

/** Throws for what isn't a condition at all. */
function toPart(definition: Condition): Part | undefined {
  const isNegated = 'not' in definition;
  const inner = isNegated ? definition.not : definition;
  if ('not' in inner || !isAlone(definition) || !isAlone(inner)) return undefined;
  if ('all' in inner) return toGroup(isNegated ? 'not_all' : 'all', inner.all);
  if ('any' in inner) return toGroup(isNegated ? 'none' : 'any', inner.any);
  return isShownWhole(inner) ? newRow(inner, isNegated) : undefined;
}

/** Whether a combination has no other members. */
function isAlone(definition: Condition): boolean {
  const isCombined = 'all' in definition || 'any' in definition || 'not' in definition;
  return !isCombined || Object.keys(definition).length === 1;
}

function toGroup(by: By, definitions: readonly Condition[]): Form | undefined {
  const parts = definitions.map(toPart);
  return parts.length > 0 && parts.every((part) => part !== undefined) ? newGroup(by, parts) : undefined;
}

export function fromForm(form: Form): Condition {
  const single = singleOf(form);
  return fromPart(single ?? form);
}

/** A condition alone stands for itself. */
function singleOf({ by, parts: [first, ...others] }: Form): Row | undefined {
  if (!first || others.length > 0 || isGroup(first)) return undefined;
  return by === 'all' || by === 'any' ? first : undefined;
}

function fromPart(part: Part): Condition {
  if (!isGroup(part)) return part.isNegated ? { not: part.leaf } : part.leaf;
  const parts = part.parts.map(fromPart);
  switch (part.by) {
    case 'all':
      return { all: parts };
    case 'any':
      return { any: parts };
    case 'none':
      return { not: { any: parts } };
    case 'not_all':
      return { not: { all: parts } };
  }
}

/** The places of the conditions and groups within the definition, as the service names them. */
export function pathsOf(form: Form): Map<number, string> {
  const found = new Map<number, string>();
  const visit = (part: Part, path: string): void => {
    const own = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (!isGroup(part)) {
      found.set(part.key, part.isNegated ? own('not') : path);
      return;
    }
    const list = own({ all: 'all', any: 'any', none: 'not.any', not_all: 'not.all' }[part.by]);
    found.set(part.key, list);
    for (const [n, inner] of part.parts.entries()) visit(inner, `${list}[${n}]`);
  };
  visit(singleOf(form) ?? form, '');
  return found;
}
