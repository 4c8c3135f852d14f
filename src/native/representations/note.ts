import type { ProfileNote } from '../../../generated/native/types.gen.ts';
import type { Note } from '../../domain/profile-notes/notes.ts';

/** `names`: those of authors, by their ids. */
export function renderNote(note: Note, names: ReadonlyMap<string, string>): ProfileNote {
  const { id, profileId, text, authorKind, authorId, createdAt } = note;
  return {
    id,
    profile_id: profileId,
    text,
    author: { kind: authorKind, id: authorId, name: names.get(authorId) ?? null },
    created_at: createdAt.toISOString(),
  };
}
