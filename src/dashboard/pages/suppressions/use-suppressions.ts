import { useQueryClient } from '@tanstack/react-query';

/** Reads again which addresses are suppressed, after some were changed. */
export function useRefreshSuppressions(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['listSuppressedAddresses'] });
}

/** Where a link to the suppression of an address leads; the address is not in the URL, which others may see. */
export const suppressionOf = (address: string): { to: string; state: { address: string } } => ({
  to: '/suppressions',
  state: { address },
});

/** What such a link asks for. */
export function addressIn(state: unknown): string {
  const { address } = (state ?? {}) as { address?: unknown };
  return typeof address === 'string' ? address : '';
}
