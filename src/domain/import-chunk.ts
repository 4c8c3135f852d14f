import type { AttributePatch } from './attributes.ts';
import type { ImportItem } from './import-jobs.ts';
import type { Draft } from './write/draft.ts';

/**
 * Items as a chunk stores them: the patch that the events of one profile share is there once. A patch can have
 * megabytes, and an item takes a hundred bytes: to repeat the one for each of the other would not fit into memory.
 */
export interface PackedItems {
  patches: AttributePatch[];
  items: (Omit<ImportItem, 'draft'> & { draft: Omit<Draft, 'patch'>; patch?: number })[];
}

export function packItems(items: readonly ImportItem[]): PackedItems {
  const positions = new Map<AttributePatch, number>();
  const packed = items.map(({ draft: { patch, ...draft }, ...item }) => {
    if (!patch) return { ...item, draft };
    const position = positions.get(patch) ?? positions.size;
    positions.set(patch, position);
    return { ...item, draft, patch: position };
  });
  return { patches: [...positions.keys()], items: packed };
}

/** The items as they were before they became JSON. */
export function unpackItems({ patches, items }: PackedItems): ImportItem[] {
  return items.map(({ patch, draft, ...item }) => ({
    ...item,
    draft: revive(patch === undefined ? draft : { ...draft, patch: patches[patch] }),
  }));
}

function revive(draft: Draft): Draft {
  if (!draft.event) return draft;
  const { occurredAt, receivedAt } = draft.event;
  return { ...draft, event: { ...draft.event, occurredAt: new Date(occurredAt), receivedAt: new Date(receivedAt) } };
}
