import { clip } from '../service-error.ts';

/** Characters of a value that people are shown. */
const MAX_SHOWN = 200;

/** A value as it is kept to explain a decision: a long text, list or object is shortened. */
export function seen(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, MAX_SHOWN);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? value : clip(text, MAX_SHOWN);
}
