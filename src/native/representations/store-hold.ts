import type { StoreHold as Shown } from '../../../generated/native/types.gen.ts';
import type { StoreHold } from '../../domain/automations/store-hold.ts';

/** `names`: that of who holds it, by their id. */
export function renderHold(hold: StoreHold | undefined, names: ReadonlyMap<string, string>): Shown {
  if (!hold) return { is_held: false, reason: null, held_at: null, held_by: null };
  const { reason, heldAt, by } = hold;
  return {
    ...{ is_held: true, reason, held_at: heldAt.toISOString() },
    held_by: by && { kind: by.kind, id: by.id, name: names.get(by.id) ?? null },
  };
}
