/** What may be worked out, and of how many values. */
export const OPERATIONS = {
  add: { words: 'add up', least: 2, most: 20 },
  subtract: { words: 'subtract', least: 2, most: 2 },
  multiply: { words: 'multiply', least: 2, most: 20 },
  divide: { words: 'divide', least: 2, most: 2 },
  round: { words: 'round', least: 1, most: 2 },
  append: { words: 'append to a list', least: 2, most: 20 },
  append_new: { words: 'append to a list what it does not have', least: 2, most: 20 },
  remove: { words: 'remove from a list', least: 2, most: 20 },
} as const;
export type Operation = keyof typeof OPERATIONS;

/** Of what a value is worked out; undefined where it is none. */
export function operandsIn(template: unknown): { operation: Operation; operands: readonly unknown[] } | undefined {
  const [operation, operands] =
    onlyMember(onlyMember(template)?.[0] === 'compute' ? onlyMember(template)?.[1] : null) ?? [];
  if (operation === undefined || !Object.hasOwn(OPERATIONS, operation) || !Array.isArray(operands)) return undefined;
  return { operation: operation as Operation, operands };
}

function onlyMember(value: unknown): [string, unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [member, ...others] = Object.entries(value);
  return others.length === 0 ? member : undefined;
}
