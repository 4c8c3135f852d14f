import { checkCondition } from '../../../conditions/check.ts';
import { leavesOf } from '../../../conditions/tree.ts';
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
  if (definition.trigger.type !== 'catalog') refuseItems(definition, report);
  if (leaves > report.limits.leaves) {
    report.add([], `has ${leaves} comparisons in its conditions, and may have ${report.limits.leaves}`);
  }
}

/** Only what an item started has an item to look at. */
function refuseItems(definition: Definition, report: DefinitionReport): void {
  for (const { condition, path } of conditionsOf(definition)) {
    for (const { leaf, path: at } of leavesOf(condition, path)) {
      if ('item' in leaf)
        report.add([...at, 'item'], 'is not allowed here: no item of the catalog triggers this automation');
    }
  }
}
