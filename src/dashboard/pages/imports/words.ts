import { useQueryClient } from '@tanstack/react-query';
import type { Import } from '../../../client/index.ts';

export const STATES: Readonly<Record<Import['state'], { word: string; color: string }>> = {
  open: { word: 'Not started', color: 'gray' },
  queued: { word: 'Waits for its turn', color: 'blue' },
  processing: { word: 'Under way', color: 'blue' },
  complete: { word: 'Complete', color: 'green' },
  cancelled: { word: 'Cancelled', color: 'gray' },
  failed: { word: 'Failed', color: 'red' },
};

/** Operations whose answers an import changes. */
const READ: readonly unknown[] = ['listImports', 'getImport'];

export const importPath = (id: string): string => `/imports/${id}`;

const megabytes = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
const kilobytes = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

export function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? kilobytes.format(Math.ceil(bytes / 1_000)) : megabytes.format(bytes / 1_000_000);
}

/** Reads again what is shown of imports, after something of them was changed. */
export function useRefreshImports(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
