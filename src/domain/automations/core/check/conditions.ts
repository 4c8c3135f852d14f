import { checkCondition } from '../../../conditions/check.ts';
import { conditionsOf } from '../definition/conditions-of.ts';
import { type Definition, hasProperties } from '../definition/definition.ts';
import type { DefinitionReport } from './limits.ts';

/** Checks all conditions: what they look at, how they compare, and how large they are. */
export function checkConditions(definition: Definition, report: DefinitionReport): void {
  const hasEvent = hasProperties(definition.trigger);
  let leaves = 0;
  for (const { condition, path, scope } of conditionsOf(definition)) {
    leaves += checkCondition(condition, path, scope === 'all' && !hasEvent ? 'without event' : scope, report);
  }
  if (leaves > report.limits.leaves) {
    report.add([], `has ${leaves} comparisons in its conditions, and may have ${report.limits.leaves}`);
  }
}
