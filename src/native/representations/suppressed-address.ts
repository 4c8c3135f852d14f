import type { SuppressedAddress as Rendered } from '../../../generated/native/types.gen.ts';
import type { SuppressedAddress } from '../../domain/messages/suppressions.ts';

export function renderSuppressedAddress({ id, address, reason, until, suppressedAt }: SuppressedAddress): Rendered {
  return { id, address, reason, until: until?.toISOString() ?? null, suppressed_at: suppressedAt.toISOString() };
}
