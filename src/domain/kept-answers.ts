import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawJson } from '../db/raw-json.ts';
import type { Sql } from '../db/sql.ts';
import type { DataTask } from '../engine/periodic.ts';
import { invalid } from './service-error.ts';

/** A request that may be repeated: later ones of its store and operation with the same key get its answer. */
export interface RepeatableRequest {
  storeId: string;
  apiKeyId: string;
  operation: string;
  key: string;
  digest: Buffer;
}

/** What a response says. */
export interface Answer<Body> {
  status: number;
  body: Body;
}

/** Thrown instead of doing again what was done: what the request was answered the first time. */
export class Replay extends Error {
  override readonly name = 'Replay';
  readonly status: number;
  readonly body: RawJson;
  /** The API key that made the first request. */
  readonly apiKeyId: string;

  constructor({ status, body, apiKeyId }: Pick<Replay, 'status' | 'body' | 'apiKeyId'>) {
    super('The request is a repetition');
    this.status = status;
    this.body = body;
    this.apiKeyId = apiKeyId;
  }
}

/** Does in a transaction what a request asks for. Throws `Replay` if that was done already. */
export type Once<Result> = (tx: Sql, work: () => Promise<Result>) => Promise<Result>;

/** For what is asked for without a key. */
export async function always<Result>(_tx: Sql, work: () => Promise<Result>): Promise<Result> {
  return await work();
}

/** The age at which answers are forgotten. */
const KEPT_FOR = sql`interval '30 days'`;

/** Returns the SHA-256 of what a request asks for, whatever the order of its fields. */
export function digestOf(asked: unknown): Buffer {
  return hash('sha256', JSON.stringify(asked, sorted) ?? '', 'buffer');
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Throws `validation_error` if a key that was used has been sent with another request. */
export function expectSame(first: Buffer, digest: Buffer): void {
  if (first.equals(digest)) return;
  throw invalid({ path: ['idempotency_key'], problem: 'was used for another request; choose a new one' });
}

/**
 * Does some work, and keeps its answer in the same transaction. Of several with the same key at the same time, one does
 * the work. Throws `Replay` if it was done already, and `validation_error` if the key was used for something else.
 */
export async function keepAnswer<Result>(
  tx: Sql,
  request: RepeatableRequest,
  work: () => Promise<Result>,
  answerOf: (result: Result) => Promise<Answer<string>>,
): Promise<Result> {
  const { storeId, apiKeyId, operation, key, digest } = request;
  const place = `footfall.kept_answer ${storeId} ${operation} ${key}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(tx);
  const { rows } = await sql<Pick<Replay, 'status' | 'body' | 'apiKeyId'> & { digest: Buffer }>`
    select status, body, api_key_id as "apiKeyId", digest from kept_answer
    where store_id = ${storeId} and operation = ${operation} and key = ${key}`.execute(tx);
  const [kept] = rows;
  if (kept) {
    expectSame(kept.digest, digest);
    throw new Replay(kept);
  }
  const result = await work();
  const { status, body } = await answerOf(result);
  await sql`
    insert into kept_answer (store_id, operation, key, digest, api_key_id, status, body, created_at)
    values (${storeId}, ${operation}, ${key}, ${digest}, ${apiKeyId}, ${status}, ${body}::json, now())`.execute(tx);
  return result;
}

/** Forgets old answers: a request with such a key is a new one. */
export async function deleteOldAnswers(db: Sql): Promise<void> {
  await sql`delete from kept_answer where created_at < now() - ${KEPT_FOR}`.execute(db);
}

export const DELETE_OLD_ANSWERS: DataTask = {
  failure: 'old answers to requests with a key not deleted',
  everyMs: 60_000,
  rows: 'kept_answer',
  run: deleteOldAnswers,
};
