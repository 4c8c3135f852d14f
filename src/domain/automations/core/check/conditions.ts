import type { Name } from '../../../conditions/comparison.ts';
import type { Path } from '../../../conditions/tree.ts';
import {
  type AttributeLeaf,
  type Condition,
  type Did,
  type IdentifierLeaf,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  leafKind,
  type PropertyLeaf,
} from '../definition/condition.ts';
import { conditionsOf, type Scope } from '../definition/conditions-of.ts';
import type { Definition } from '../definition/definition.ts';
import { checkComparison, checkTextComparison } from './comparisons.ts';
import type { Report } from './report.ts';

const OF_PROFILE = ['attribute', 'identifier', 'list', 'segment', 'consent'] as const;

/** The kinds of leaf that each scope has. */
const WITHIN: Record<Scope, readonly LeafKind[]> = {
  event: ['property'],
  profile: OF_PROFILE,
  'profile and history': [...OF_PROFILE, 'did'],
  all: ['property', ...OF_PROFILE, 'did'],
};

const PROPERTIES_ALONE = 'is not allowed here: only properties of the event are';
const NOT_WITHIN: Record<LeafKind, string> = {
  property: 'is not allowed here: there is no event',
  attribute: PROPERTIES_ALONE,
  identifier: PROPERTIES_ALONE,
  did: 'is not allowed here: history is not looked up',
  list: PROPERTIES_ALONE,
  segment: PROPERTIES_ALONE,
  consent: PROPERTIES_ALONE,
};

/** Checks all conditions: what they look at, how they compare, and how large they are. */
export function checkConditions(definition: Definition, report: Report): void {
  const hasEvent = definition.trigger.type === 'event' || definition.trigger.type === 'manual';
  let leaves = 0;
  for (const { condition, path, scope } of conditionsOf(definition)) {
    leaves += checkCondition(condition, path, scope === 'all' && !hasEvent ? 'profile and history' : scope, report);
  }
  if (leaves > report.limits.leaves) {
    report.add([], `has ${leaves} comparisons in its conditions, and may have ${report.limits.leaves}`);
  }
}

/** Returns how many leaves a condition has, those of the filters within it included. */
function checkCondition(condition: Condition, path: Path, scope: Scope, report: Report, depth = 1): number {
  if (depth > report.limits.depth) {
    report.add(path, `is nested deeper than ${report.limits.depth} levels`);
    return 0;
  }
  if ('not' in condition) return checkCondition(condition.not, [...path, 'not'], scope, report, depth + 1);
  if ('all' in condition || 'any' in condition) {
    const [name, parts] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
    if (parts.length === 0) report.add([...path, name], 'must not be empty');
    return parts.reduce((sum, part, i) => sum + checkCondition(part, [...path, name, i], scope, report, depth + 1), 0);
  }
  return checkLeaf(condition, path, scope, report, depth);
}

function checkLeaf(leaf: Leaf, path: Path, scope: Scope, report: Report, depth: number): number {
  const kind = leafKind(leaf);
  if (!WITHIN[scope].includes(kind)) report.add([...path, kind], NOT_WITHIN[kind]);
  const check = CHECKERS[kind] as (leaf: Leaf, path: Path, report: Report, depth: number) => number;
  return 1 + check(leaf, path, report, depth);
}

type Checkers = {
  [Kind in LeafKind]: (leaf: LeafKinds[Kind], path: Path, report: Report, depth: number) => number;
};

/** Each returns how many leaves the leaf has within it. */
const CHECKERS: Checkers = {
  property: (leaf: PropertyLeaf, path, report) => {
    checkName(leaf.property, [...path, 'property'], report);
    checkComparison(leaf, path, report);
    return 0;
  },
  attribute: (leaf: AttributeLeaf, path, report) => {
    checkName(leaf.attribute, [...path, 'attribute'], report);
    checkComparison(leaf, path, report);
    return 0;
  },
  identifier: (leaf: IdentifierLeaf, path, report) => {
    checkTextComparison(leaf, path, report);
    return 0;
  },
  did: ({ did }, path, report, depth) => checkDid(did, [...path, 'did'], report, depth),
  list: ({ list }, path, report) => checkId(list, [...path, 'list'], report),
  segment: ({ segment }, path, report) => checkId(segment, [...path, 'segment'], report),
  consent: () => 0,
};

function checkDid(did: Did, path: Path, report: Report, depth: number): number {
  const { at_least, at_most, within, since, filter } = did;
  if (within !== undefined) report.duration([...path, 'within'], within, report.limits.history);
  if (within !== undefined && since !== undefined) report.add([...path, 'since'], 'must be absent beside within');
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    report.add([...path, 'at_least'], 'must not be more than at_most');
  }
  return filter ? checkCondition(filter, [...path, 'filter'], 'event', report, depth + 1) : 0;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the store has it is for the database to say. */
export function checkId(id: string, path: Path, report: Report): number {
  if (!UUID.test(id)) report.add(path, 'must be an id');
  return 0;
}

export function checkName(name: Name, path: Path, report: Report): void {
  if (name.length === 0) report.add(path, 'must not be empty');
  else if (typeof name !== 'string' && name.includes('')) report.add(path, 'must have no empty names');
}
