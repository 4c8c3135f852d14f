import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listNotes } from '../domain/profile-notes/notes.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest } from './query.ts';
import { renderNote } from './representations/note.ts';

export function listProfileNotes(stores: StoreData): Handler<Operations, 'listProfileNotes'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { path, query = {} }, caller }) => {
    const { storeId } = caller;
    const sql = stores.of(storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { items, next } = await listNotes(sql, storeId, id, toPageRequest(query));
    const named = await names.of(
      storeId,
      items.map(({ authorId }) => authorId),
    );
    return { status: 200, body: { notes: items.map((note) => renderNote(note, named)), next_cursor: next } };
  };
}
