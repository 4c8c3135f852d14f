import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Once } from '../domain/kept-answers.ts';
import { createNote, type Note } from '../domain/profile-notes/notes.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderNote } from './representations/note.ts';

export function createProfileNote(
  writing: WithConnection,
  stores: StoreData,
): Handler<Operations, 'createProfileNote'> {
  const names = new KeyNames(stores.shared);
  return async ({ request, caller }) => {
    const { path, body } = request;
    const named = await names.of(caller.storeId, [caller.actor.id]);
    return await performOnce(
      caller,
      { operation: 'createProfileNote', key: body.idempotency_key, request },
      {
        perform: (once: Once<Note | undefined>) =>
          writing(caller.storeId, (db) =>
            createNote(db, caller, { profileId: path.id.toLowerCase(), text: body.text }, (tx, work) =>
              once(tx, async () => existing(await work())),
            ),
          ),
        answer: (note) => ({ status: 201 as const, body: renderNote(existing(note), named) }),
      },
    );
  };
}

function existing(note: Note | undefined): Note {
  if (!note) throw new ServiceError('not_found', 'There is no such profile');
  return note;
}
