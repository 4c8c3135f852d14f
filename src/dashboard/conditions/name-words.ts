import type { ValueName } from '../../client/index.ts';

/** A name, which somebody may not have typed yet. */
export function nameWords(name: ValueName): string {
  return (typeof name === 'string' ? name : name.join(' › ')) || '…';
}
