import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Log } from '../../process/log.ts';
import type { WithConnection } from '../store-connections.ts';

/** Who does something: a key, a person, or the operator in a shell. */
export interface AuditActor {
  kind: 'key' | 'person' | 'operator';
  id: string | null;
}

/** What is known of a change before it is made. */
export interface Attempt {
  storeId: string;
  /** Of the entry: what is written twice under one id is one. */
  id: string;
  actor: AuditActor;
  address: string | null;
  operation: string;
  /** The ids that the request names. */
  target: string | null;
  /** What the request says, by names alone. */
  fields: readonly string[];
  requestId: string | null;
}

export interface Ending {
  outcome: 'done' | 'refused' | 'failed';
  /** Of HTTP; null where there is none. */
  status: number | null;
  /** The id of what the response describes, such as what was created: the target, where the request names none. */
  created?: string | undefined;
  /** Who it turned out to be, of somebody who was not known before. */
  actorId?: string | undefined;
  /** What it was about, where that was not known before. */
  fields?: readonly string[];
}

/** Characters of a target, and of the name of a field; and how many fields are named. */
const MOST = { target: 255, field: 64, fields: 100 };

/**
 * The audit log of all stores. An entry is written before the change, so that no change is without one; it stays open where the
 * process ends in between, or where its end can't be written.
 */
export class AuditLog {
  readonly #writing: WithConnection;
  readonly #log: Pick<Log, 'warn'>;

  constructor(writing: WithConnection, log: Pick<Log, 'warn'>) {
    this.#writing = writing;
    this.#log = log;
  }

  /** Makes a change once its entry is written. `endingOf` an error is undefined where the change goes on elsewhere. */
  async around<Result>(
    attempt: Attempt,
    change: () => Promise<Result>,
    endingOf: { result(result: Result): Ending | Promise<Ending>; error(error: unknown): Ending | undefined },
  ): Promise<Result> {
    await this.#writing(attempt.storeId, (db) => writeAttempt(db, attempt));
    let result: Result;
    try {
      result = await change();
    } catch (error) {
      const ending = endingOf.error(error);
      if (ending) await this.#try(attempt, (db) => writeEnding(db, attempt, ending));
      throw error;
    }
    await this.#try(attempt, async (db) => writeEnding(db, attempt, await endingOf.result(result)));
    return result;
  }

  /** Writes the entry of what has ended already, and of which nobody may know before. */
  async add(attempt: Attempt, ending: Ending): Promise<void> {
    await this.#writing(attempt.storeId, (db) => writeAttempt(db, attempt, ending));
  }

  /** Writes the entry of what was refused before it began, if that can be written: nothing has changed. */
  async refused(attempt: Attempt, ending: Ending): Promise<void> {
    await this.#try(attempt, (db) => writeAttempt(db, attempt, ending));
  }

  /** What has been done is done, and what was refused is refused, whether or not that can be written. */
  async #try(attempt: Attempt, write: (db: Sql) => Promise<void>): Promise<void> {
    try {
      await this.#writing(attempt.storeId, write);
    } catch (err) {
      const { id, storeId, operation } = attempt;
      this.#log.warn(
        { err, store_id: storeId, operation, entry_id: id },
        'the end of an audited change is not written',
      );
    }
  }
}

/** Writes an entry, which is open unless its end is given. */
export async function writeAttempt(db: Sql, attempt: Attempt, ending?: Ending): Promise<void> {
  const { storeId, id, actor, address, operation, target, fields, requestId } = attempt;
  await sql`
    insert into audit_entry (store_id, id, begun_at, actor_kind, actor_id, address, operation, target, fields, request_id,
      outcome, status, ended_at)
    values (${storeId}, ${id}, now(), ${actor.kind}, ${actor.id}, ${address}, ${operation},
      ${target === null ? null : storable(target, MOST.target)}, ${namesOf(fields)}::text[], ${requestId},
      ${ending?.outcome ?? null}, ${ending?.status ?? null}, ${ending ? sql`now()` : null})
    on conflict (store_id, id) do nothing`.execute(db);
}

export async function writeEnding(
  db: Sql,
  { storeId, id }: Pick<Attempt, 'storeId' | 'id'>,
  { outcome, status, created, actorId, fields }: Ending,
): Promise<void> {
  await sql`
    update audit_entry set outcome = ${outcome}, status = ${status}, ended_at = now(),
      target = coalesce(target, ${created === undefined ? null : storable(created, MOST.target)}),
      actor_id = coalesce(actor_id, ${actorId ?? null}::uuid), fields = coalesce(${fields ? namesOf(fields) : null}::text[], fields)
    where store_id = ${storeId} and id = ${id}`.execute(db);
}

const namesOf = (fields: readonly string[]): string[] =>
  fields.slice(0, MOST.fields).map((field) => storable(field, MOST.field));

/** Clients choose ids in paths and names of fields; Postgres takes neither NUL nor a lone surrogate. */
function storable(text: string, most: number): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}').slice(0, most).toWellFormed();
}
