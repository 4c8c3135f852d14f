import type { Draft } from './draft.ts';
import type { ScopedKey } from './look-up.ts';

/** Returns the key of a draft whose key is unique in its store. */
export function storeKey({ event, idempotencyScope }: Draft): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope === undefined
    ? { scope: '', key: event.idempotencyKey }
    : undefined;
}

/** Returns the key of a draft whose key is unique within its profile. */
export function profileKey({ event, idempotencyScope }: Draft, profileId: string): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope !== undefined
    ? { scope: `${profileId} ${idempotencyScope}`, key: event.idempotencyKey }
    : undefined;
}
