import type { AttributePatch } from '../attributes/attributes.ts';
import type { Draft } from '../write/draft.ts';
import type { ImportItem } from './jobs.ts';

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

/** Numbers are places in the lists above. */
interface PackedItem extends Omit<ImportItem, 'draft'> {
  draft: Draft;
  patch?: number | undefined;
  addEmails?: number | undefined;
  dropEmails?: number | undefined;
}

export function packItems(items: readonly ImportItem[]): PackedItems {
  const patches = new Shared<AttributePatch>();
  const emails = new Shared<readonly string[]>();
  const packed = items.map(({ draft: { patch, addEmails, dropEmails, ...draft }, ...item }) => ({
    ...item,
    draft,
    patch: patches.place(patch),
    addEmails: emails.place(addEmails),
    dropEmails: emails.place(dropEmails),
  }));
  return { patches: patches.values, emails: emails.values, items: packed };
}

/** The items as they were before they became JSON. */
export function unpackItems({ patches, emails = [], items }: PackedItems): ImportItem[] {
  return items.map(({ patch, addEmails, dropEmails, draft, ...item }) => ({
    ...item,
    draft: revive({
      ...draft,
      ...(patch !== undefined && { patch: patches[patch] }),
      ...(addEmails !== undefined && { addEmails: emails[addEmails] }),
      ...(dropEmails !== undefined && { dropEmails: emails[dropEmails] }),
    }),
  }));
}

/** Values, each once, by what they are and not by what they say. */
class Shared<Value> {
  readonly #places = new Map<Value, number>();

  get values(): Value[] {
    return [...this.#places.keys()];
  }

  place(value: Value | undefined): number | undefined {
    if (value === undefined) return undefined;
    const place = this.#places.get(value) ?? this.#places.size;
    this.#places.set(value, place);
    return place;
  }
}

function revive(draft: Draft): Draft {
  if (!draft.event) return draft;
  const { occurredAt, receivedAt } = draft.event;
  return { ...draft, event: { ...draft.event, occurredAt: new Date(occurredAt), receivedAt: new Date(receivedAt) } };
}
