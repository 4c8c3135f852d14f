import type { AttributePatch } from '../../attributes/attributes.ts';
import type { Violation } from '../../service-error.ts';
import type { Draft } from '../../write/draft.ts';
import type { Origin } from '../../write/profile-history.ts';

/** One item of an import. */
export interface ImportItem {
  /** Its path in the client's document. */
  path: Violation['path'];
  draft: Draft;
}

/**
 * Items as a chunk stores them, without repeating what the events of one profile share. A patch can have megabytes, and
 * an item takes a hundred bytes: repeating the patch for each item would not fit into memory.
 */
export interface PackedItems {
  patches: AttributePatch[];
  /** Lists of e-mail addresses; absent from chunks of the first version. */
  emails?: (readonly string[])[];
  /** Absent from chunks of stores that keep no history. */
  origins?: Origin[];
  items: PackedItem[];
}

/** Numbers are indices into the lists of `PackedItems`. */
interface PackedItem extends Omit<ImportItem, 'draft'> {
  draft: PackedDraft;
  patch?: number | undefined;
  addEmails?: number | undefined;
  dropEmails?: number | undefined;
  origin?: number | undefined;
}

/** A draft with the field names of the first version: other versions may work on the same jobs. */
interface PackedDraft extends Omit<Draft, 'onIdentifierConflict' | 'idempotencyScope' | keyof Shareable> {
  taken: Draft['onIdentifierConflict'];
  keyWithin?: string | undefined;
}

type Shareable = Pick<Draft, 'patch' | 'addEmails' | 'dropEmails' | 'origin'>;

export function packItems(items: readonly ImportItem[]): PackedItems {
  const patches = new Shared<AttributePatch>();
  const emails = new Shared<readonly string[]>();
  const origins = new Shared<Origin>();
  const packed = items.map(({ draft, ...item }) => {
    const { patch, addEmails, dropEmails, origin, onIdentifierConflict, idempotencyScope, ...rest } = draft;
    return {
      ...item,
      draft: { ...rest, taken: onIdentifierConflict, keyWithin: idempotencyScope },
      patch: patches.indexOf(patch),
      addEmails: emails.indexOf(addEmails),
      dropEmails: emails.indexOf(dropEmails),
      origin: origins.indexOf(origin),
    };
  });
  return { patches: patches.values, emails: emails.values, origins: origins.values, items: packed };
}

/** Restores the items. */
export function unpackItems({ patches, emails = [], origins = [], items }: PackedItems): ImportItem[] {
  return items.map(({ patch, addEmails, dropEmails, origin, draft: { taken, keyWithin, ...draft }, ...item }) => ({
    ...item,
    draft: revive({
      ...draft,
      onIdentifierConflict: taken,
      ...(keyWithin !== undefined && { idempotencyScope: keyWithin }),
      ...(patch !== undefined && { patch: patches[patch] }),
      ...(addEmails !== undefined && { addEmails: emails[addEmails] }),
      ...(dropEmails !== undefined && { dropEmails: emails[dropEmails] }),
      ...(origin !== undefined && { origin: origins[origin] }),
    }),
  }));
}

/** Collects values, each once, by identity rather than by content. */
class Shared<Value> {
  readonly #indices = new Map<Value, number>();

  get values(): Value[] {
    return [...this.#indices.keys()];
  }

  indexOf(value: Value | undefined): number | undefined {
    if (value === undefined) return undefined;
    const index = this.#indices.get(value) ?? this.#indices.size;
    this.#indices.set(value, index);
    return index;
  }
}

function revive(draft: Draft): Draft {
  if (!draft.event) return draft;
  const { occurredAt, receivedAt } = draft.event;
  return { ...draft, event: { ...draft.event, occurredAt: new Date(occurredAt), receivedAt: new Date(receivedAt) } };
}
