import type { Path } from '../../../conditions/tree.ts';
import type { Template } from './steps.ts';

/** How a value is made of others, by the names of the operations: how many it takes, and of which kind. */
export const OPERATIONS = {
  add: { of: 'numbers', least: 2, most: 20 },
  subtract: { of: 'numbers', least: 2, most: 2 },
  multiply: { of: 'numbers', least: 2, most: 20 },
  divide: { of: 'numbers', least: 2, most: 2 },
  /** To so many decimal places; by default whole. */
  round: { of: 'numbers', least: 1, most: 2 },
  /** To a list. */
  append: { of: 'list', least: 2, most: 20 },
  /** What the list does not have yet. */
  append_new: { of: 'list', least: 2, most: 20 },
  /** Every member that is one of these. */
  remove: { of: 'list', least: 2, most: 20 },
} as const satisfies Record<string, { of: 'numbers' | 'list'; least: number; most: number }>;
export type Operation = keyof typeof OPERATIONS;

/** A value that is made of others when the step is taken: `{"compute": {"add": […]}}`. */
export interface Computation {
  compute: Readonly<Record<string, readonly Template[]>>;
}

/** Whether a template is one; a draft may have anything in it. */
export function isComputed(template: Template): template is Computation {
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return false;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0] === 'compute';
}

/** The operation of one; undefined where a draft has no such. */
export function operationOf({ compute }: Computation): Operation | undefined {
  if (typeof compute !== 'object' || compute === null) return undefined;
  const [name, ...others] = Object.keys(compute);
  return name !== undefined && others.length === 0 && Object.hasOwn(OPERATIONS, name) ? (name as Operation) : undefined;
}

/** What it is made of, with the place of each within the computation. */
export function operandsOf(computation: Computation): { operand: Template; path: Path }[] {
  const operation = operationOf(computation);
  const operands = operation && computation.compute[operation];
  if (!Array.isArray(operands)) return [];
  return operands.map((operand, i) => ({ operand, path: ['compute', operation as string, i] }));
}
