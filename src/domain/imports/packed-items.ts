import type { AttributePatch } from '../attributes/attributes.ts';
import type { Violation } from '../service-error.ts';
import type { Draft } from '../write/draft.ts';

/** One item of an import. */
export interface ImportItem {
  /** Its place in the caller's document. */
  path: Violation['path'];
  draft: Draft;
}

/**
 * Items as a chunk stores them: what the events of one profile share is there once. A patch can have megabytes, and an
 * item takes a hundred bytes: to repeat the one for each of the other would not fit into memory.
 */
export interface PackedItems {
  patches: AttributePatch[];
  /** Lists of e-mail addresses; chunks of the first version have none. */
  emails?: (readonly string[])[];
  items: PackedItem[];
}

/** Numbers are indices of the lists above. */
interface PackedItem extends Omit<ImportItem, 'draft'> {
  draft: PackedDraft;
  patch?: number | undefined;
  addEmails?: number | undefined;
  dropEmails?: number | undefined;
}

/** A draft under the names that the first version stored: other versions may work at the same queue. */
interface PackedDraft extends Omit<Draft, 'onIdentifierConflict' | 'idempotencyScope' | keyof Shareable> {
  taken: Draft['onIdentifierConflict'];
  keyWithin?: string | undefined;
}

type Shareable = Pick<Draft, 'patch' | 'addEmails' | 'dropEmails'>;

export function packItems(items: readonly ImportItem[]): PackedItems {
  const patches = new Shared<AttributePatch>();
  const emails = new Shared<readonly string[]>();
  const packed = items.map(({ draft, ...item }) => {
    const { patch, addEmails, dropEmails, onIdentifierConflict, idempotencyScope, ...rest } = draft;
    return {
      ...item,
      draft: { ...rest, taken: onIdentifierConflict, keyWithin: idempotencyScope },
      patch: patches.indexOf(patch),
      addEmails: emails.indexOf(addEmails),
      dropEmails: emails.indexOf(dropEmails),
    };
  });
  return { patches: patches.values, emails: emails.values, items: packed };
}

/** The items as they were before they became JSON. */
export function unpackItems({ patches, emails = [], items }: PackedItems): ImportItem[] {
  return items.map(({ patch, addEmails, dropEmails, draft: { taken, keyWithin, ...draft }, ...item }) => ({
    ...item,
    draft: revive({
      ...draft,
      onIdentifierConflict: taken,
      ...(keyWithin !== undefined && { idempotencyScope: keyWithin }),
      ...(patch !== undefined && { patch: patches[patch] }),
      ...(addEmails !== undefined && { addEmails: emails[addEmails] }),
      ...(dropEmails !== undefined && { dropEmails: emails[dropEmails] }),
    }),
  }));
}

/** Values, each once, by what they are and not by what they say. */
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
