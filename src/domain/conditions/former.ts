import { withEventsAsked } from './asked.ts';
import type { Comparison, NumberOperator } from './comparison.ts';
import type { Condition, Did, Leaf } from './condition.ts';
import type { Path, Tree } from './tree.ts';
import type { Window } from './windows.ts';

/**
 * Conditions as segments had them before there was one language: still accepted, stored as they are, and shown in today's form.
 * Spans of windows may be short in both, such as `30d`.
 */
interface FormerEvent {
  type: string;
  where?: readonly (Comparison & { property: string })[];
  measure?: 'count' | 'sum';
  /** What is summed up. */
  property?: string;
  op?: NumberOperator;
  value?: number;
  window?: Window;
}
type FormerLeaf =
  | Exclude<Leaf, { identifier: unknown }>
  | { event: FormerEvent }
  | { attribute: Comparison & { name: string } }
  | (Pick<Extract<Leaf, { identifier: unknown }>, 'identifier'> & Partial<Comparison>);
export type FormerCondition = Tree<FormerLeaf>;

/** Returns a condition in today's form; itself if it is in that. */
export function inTodaysForm(condition: FormerCondition): Condition {
  if ('all' in condition) return { all: condition.all.map(inTodaysForm) };
  if ('any' in condition) return { any: condition.any.map(inTodaysForm) };
  if ('not' in condition) return { not: inTodaysForm(condition.not) };
  if ('event' in condition) return { did: fromEvent(condition.event) };
  if ('identifier' in condition)
    return condition.op === undefined ? { ...condition, op: 'exists' } : (condition as Leaf);
  if ('attribute' in condition && isFormerAttribute(condition.attribute)) {
    const { name, ...comparison } = condition.attribute;
    return { attribute: name, ...comparison };
  }
  if ('profile' in condition) return { profile: withIsoSpans(condition.profile) };
  if ('items' in condition) return { items: { ...condition.items, where: inTodaysForm(condition.items.where) } };
  return inTodaysFormWithin(condition as Leaf);
}

/** What is within a leaf that has today's form. */
function inTodaysFormWithin(leaf: Leaf): Leaf {
  if (('list' in leaf || 'segment' in leaf) && leaf.joined) return { ...leaf, joined: windowWithIsoSpans(leaf.joined) };
  const changed = withEventsAsked(leaf, (asked) => {
    const { filter } = asked;
    return { ...withIsoSpans(asked), ...(filter && { filter: inTodaysForm(filter) }) };
  });
  if (!('occurrence' in changed) || !changed.occurrence.where) return changed;
  return { occurrence: { ...changed.occurrence, where: inTodaysForm(changed.occurrence.where) } };
}

/** They counted what pages and apps sent, too. */
function fromEvent({ type, where = [], measure, property = '', op, value, window }: FormerEvent): Did {
  const [only, another] = where;
  const comparison = op === undefined || value === undefined ? undefined : { op, value };
  return withIsoSpans({
    event_type: type,
    ...(only && { filter: another ? { all: where } : only }),
    ...(comparison && (measure === 'sum' ? { sum: { property, ...comparison } } : { count: comparison })),
    ...(window && { window }),
    from_client: true,
  });
}

function isFormerAttribute(attribute: unknown): attribute is Comparison & { name: string } {
  return typeof attribute === 'object' && !Array.isArray(attribute);
}

function withIsoSpans<Asked extends { window?: Window }>(asked: Asked): Asked {
  const { window } = asked;
  return window ? { ...asked, window: windowWithIsoSpans(window) } : asked;
}

function windowWithIsoSpans(window: Window): Window {
  if ('last' in window) return { ...window, last: isoSpan(window.last) };
  if (!('ago' in window)) return window;
  return { ago: { min: isoSpan(window.ago.min), max: isoSpan(window.ago.max) } };
}

/** `30d` is `P30D`, and that is itself. */
function isoSpan(text: string): string {
  const [, number, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  return number === undefined ? text : `P${'smh'.includes(unit) ? 'T' : ''}${number}${unit.toUpperCase()}`;
}

/** Returns where a part of a condition in today's form was in the one that was given. */
export function placeInFormer(given: unknown, path: Path): Path {
  const [key, ...rest] = path;
  if (key === undefined || typeof given !== 'object' || given === null) return path;
  const parts = given as Record<string, unknown>;
  if (key === 'did' && 'event' in parts) return ['event', ...placeInEvent(parts.event as FormerEvent, rest)];
  if ('attribute' in parts && isFormerAttribute(parts.attribute)) {
    return ['attribute', ...(key === 'attribute' ? ['name', ...rest] : path)];
  }
  return [key, ...placeInFormer(parts[key], rest)];
}

function placeInEvent({ where = [] }: FormerEvent, path: Path): Path {
  const [key, ...rest] = path;
  if (key === 'event_type') return ['type', ...rest];
  if (key === 'count' || key === 'sum') return rest;
  if (key !== 'filter') return path;
  return where.length === 1 ? ['where', 0, ...rest] : ['where', ...rest.slice(1)];
}
