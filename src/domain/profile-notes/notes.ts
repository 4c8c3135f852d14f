import { sql } from 'kysely';
import { Outdated } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import { isId, newId } from '../../ids/uuid-v7.ts';
import type { Actor, Caller } from '../caller.ts';
import type { Once } from '../kept-answers.ts';
import { currentId } from '../profile-aliases.ts';
import { type Page, type PageRequest, readNewest } from '../reading/cursor.ts';
import { ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';

/** What somebody has written down about a customer. */
export interface Note {
  id: string;
  profileId: string;
  text: string;
  authorKind: Actor['kind'];
  authorId: string;
  createdAt: Date;
}

/** Notes of a customer, at most. */
const MAX_NOTES = 500;

type Row = Omit<Note, 'createdAt'> & { created: number; candidates?: never };

const COLUMNS = sql`
  id, profile_id as "profileId", text, author_kind as "authorKind", author_id as "authorId",
  (extract(epoch from created_at) * 1000)::float8 as created`;

/** Returns the notes of a customer, the latest first. */
export async function listNotes(db: Sql, storeId: string, profileId: string, page: PageRequest): Promise<Page<Note>> {
  return await readNewest(
    db,
    page,
    toNote,
    (place) => sql<Row>`
    select ${COLUMNS} from profile_note
    where store_id = ${storeId} and profile_id = ${profileId} and ${place}`,
  );
}

/**
 * Writes a note about a customer, by the id that the profile has or had before it was merged; undefined if there is none. Throws
 * `validation_error` where the customer has as many notes as one may have.
 */
export async function createNote(
  db: Sql,
  { storeId, actor }: Caller,
  { profileId, text }: Pick<Note, 'profileId' | 'text'>,
  once: Once<Note | undefined>,
): Promise<Note | undefined> {
  if (!isId(profileId)) return undefined;
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        const id = await currentId(tx, storeId, profileId);
        // Whoever erases or merges them comes before, and finds nothing new after that, or later, and finds the note.
        const { rows: locked } = await sql`
          select from profile where store_id = ${storeId} and id = ${id} for no key update`.execute(tx);
        if (locked.length === 0) {
          if ((await currentId(tx, storeId, profileId)) !== id) throw new Outdated('The profile was merged');
          return undefined;
        }
        const { rows: counted } = await sql<{ count: number }>`
          select count(*)::int as count from profile_note where store_id = ${storeId} and profile_id = ${id}`.execute(
          tx,
        );
        if ((counted[0]?.count ?? 0) >= MAX_NOTES) {
          throw new ServiceError('validation_error', `The customer already has ${MAX_NOTES} notes; delete one first`);
        }
        const { rows } = await sql<Row>`
          insert into profile_note (store_id, profile_id, id, text, author_kind, author_id, created_at)
          values (${storeId}, ${id}, ${newId()}, ${text}, ${actor.kind}, ${actor.id}, now())
          returning ${COLUMNS}`.execute(tx);
        return toNote(rows[0] as Row);
      }),
    ),
  );
}

/** Deletes a note, and returns what it was; undefined if the customer has no such note. */
export async function deleteNote(db: Sql, storeId: string, profileId: string, id: string): Promise<Note | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<Row>`
    delete from profile_note where store_id = ${storeId} and profile_id = ${profileId} and id = ${id}
    returning ${COLUMNS}`.execute(db);
  return rows[0] && toNote(rows[0]);
}

function toNote({ created, candidates: _, ...note }: Row): Note {
  return { ...note, createdAt: new Date(created) };
}
