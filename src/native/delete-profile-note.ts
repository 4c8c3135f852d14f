import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { deleteNote } from '../domain/profile-notes/notes.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { renderNote } from './representations/note.ts';

export function deleteProfileNote(
  writing: WithConnection,
  stores: StoreData,
): Handler<Operations, 'deleteProfileNote'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { path }, caller }) => {
    const { storeId } = caller;
    const note = await writing(storeId, async (db) => {
      const { id } = await existingProfile(db, caller, path.id);
      return await deleteNote(db, storeId, id, path.note_id);
    });
    if (!note) throw new ServiceError('not_found', 'There is no such note');
    return { status: 200, body: renderNote(note, await names.of(storeId, [note.authorId])) };
  };
}
