import { asType, isFilled } from '../../../components/values.ts';
import type { Comparison, DidCondition, Leaf } from '../../../definitions.ts';

/** What a row of a condition can look at. */
export type Subject = 'property' | 'attribute' | 'identifier' | 'did' | 'list' | 'segment' | 'consent';
export type Compared = Extract<Leaf, Comparison>;

/** What a condition on the customer can look at. */
export const OF_CUSTOMER = ['attribute', 'identifier', 'list', 'segment', 'consent'] as const satisfies Subject[];

export function subjectOf(leaf: Leaf): Subject {
  return SUBJECTS.find((subject) => subject in leaf) as Subject;
}

const SUBJECTS: readonly Subject[] = ['property', 'did', ...OF_CUSTOMER];

/** Whether something is compared, for which there are fields here; for the rest there are those of segments. */
export function isCompared(leaf: Leaf): leaf is Compared {
  return 'property' in leaf || 'attribute' in leaf || 'identifier' in leaf;
}

/** Whether it is counted only, up to bounds; for sums and windows there are the fields of segments. */
export function isPlainDid(leaf: Leaf): leaf is DidCondition {
  return 'did' in leaf && !leaf.did.count && !leaf.did.sum && !leaf.did.window;
}

export function newLeaf(subject: Subject): Leaf {
  switch (subject) {
    case 'did':
      return { did: { event_type: 'placed_order', at_least: 1 } };
    case 'identifier':
      return { identifier: 'email', op: 'exists' };
    case 'property':
      return { property: '', op: 'exists' };
    case 'attribute':
      return { attribute: '', op: 'exists' };
    case 'list':
      return { list: '' };
    case 'segment':
      return { segment: '' };
    case 'consent':
      return { consent: { channel: 'email', status: 'subscribed' } };
  }
}

const NUMBERS: readonly Comparison['op'][] = ['gt', 'gte', 'lt', 'lte'];
const LISTS: readonly Comparison['op'][] = ['in', 'not_in'];

/** The comparison by another operator, with a value that goes with it. */
export function withOperator<Of extends Comparison>(comparison: Of, op: Comparison['op']): Of {
  const { value, ...rest } = comparison;
  if (op === 'exists' || op === 'not_exists') return { ...rest, op } as Of;
  const single = Array.isArray(value) ? value[0] : value;
  if (LISTS.includes(op))
    return { ...rest, op, value: Array.isArray(value) ? value : isFilled(single) ? [single] : [] } as Of;
  if (NUMBERS.includes(op)) return { ...rest, op, value: asType(single, 'number') } as Of;
  return { ...rest, op, value: valueKindOf(op) === 'text' ? asType(single, 'text') : (single ?? '') } as Of;
}

/** Which kinds of values an operator compares with. */
export function valueKindOf(op: Comparison['op']): 'none' | 'number' | 'list' | 'text' | 'any' {
  if (op === 'exists' || op === 'not_exists') return 'none';
  if (NUMBERS.includes(op)) return 'number';
  if (LISTS.includes(op)) return 'list';
  return op === 'starts_with' || op === 'before' || op === 'after' ? 'text' : 'any';
}
