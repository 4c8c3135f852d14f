import type { Path } from '../../../conditions/tree.ts';
import { type Computation, OPERATIONS, operationOf } from '../definition/computations.ts';
import type { Definition } from '../definition/definition.ts';
import { computationsOf, isLiquid, isLiteral } from '../definition/references.ts';
import type { DefinitionReport } from './limits.ts';

/** Checks values that are made of others, as far as is known before they are: how many there are, and of which kind. */
export function checkComputations({ steps }: Definition, report: DefinitionReport): void {
  for (const [i, step] of steps.entries()) {
    for (const { computation, at } of computationsOf(step)) checkComputation(computation, ['steps', i, ...at], report);
  }
}

function checkComputation(computation: Computation, at: Path, report: DefinitionReport): void {
  const operation = operationOf(computation);
  if (!operation) {
    report.add([...at, 'compute'], `must have one of ${Object.keys(OPERATIONS).join(', ')}`);
    return;
  }
  const { of, least, most } = OPERATIONS[operation];
  const operands = computation.compute[operation];
  const place = [...at, 'compute', operation];
  if (!Array.isArray(operands) || operands.length < least || operands.length > most) {
    const many = least === most ? `${least}` : `${least} to ${most}`;
    report.add(place, `must be a list of ${many} values`);
    return;
  }
  const checked = of === 'numbers' ? operands : operands.slice(0, 1);
  for (const [i, operand] of checked.entries()) {
    const kind = kindOf(operand);
    if (kind !== undefined && kind !== of)
      report.add([...place, i], `must be ${of === 'numbers' ? 'a number' : 'a list'}`);
  }
}

/** Undefined for what is known only when the step is taken. */
function kindOf(operand: unknown): 'numbers' | 'list' | 'other' | undefined {
  if (isLiteral(operand)) return kindOf(operand.literal);
  if (isLiquid(operand)) return 'other';
  if (typeof operand === 'number') return 'numbers';
  if (Array.isArray(operand)) return 'list';
  if (typeof operand !== 'object' || operand === null) return 'other';
  const [name] = Object.keys(operand);
  if (name === 'from') return undefined;
  if (name !== 'compute') return 'other';
  const operation = operationOf(operand as Computation);
  return operation && OPERATIONS[operation].of;
}
