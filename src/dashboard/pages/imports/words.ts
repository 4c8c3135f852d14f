import { useQueryClient } from '@tanstack/react-query';
import type { ImportStatus } from '../../../client/index.ts';

export const STATUS_WORDS: Readonly<Record<ImportStatus, string>> = {
  open: 'Not started',
  queued: 'Waits for its turn',
  processing: 'Under way',
  complete: 'Complete',
  cancelled: 'Cancelled',
  failed: 'Failed',
};
export const STATUS_COLORS: Readonly<Record<ImportStatus, string>> = {
  open: 'gray',
  queued: 'blue',
  processing: 'blue',
  complete: 'green',
  cancelled: 'gray',
  failed: 'red',
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
