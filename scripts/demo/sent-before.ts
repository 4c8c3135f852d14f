import { sql } from 'kysely';
import type { Sql } from '../../src/db/sql.ts';
import { lowestIdAt, newId } from '../../src/ids/uuid-v7.ts';

export interface Answer {
  /** Milliseconds after the delivery was created. */
  after: number;
  status: number;
  ms: number;
  excerpt: string;
}

/** Has deliveries that are held be as if receivers had answered, or not. */
export class SentBefore {
  readonly #db: Sql;
  readonly #storeId: string;

  constructor(db: Sql, storeId: string) {
    this.#db = db;
    this.#storeId = storeId;
  }

  /** Attempts that were answered, and what became of the delivery; it is sent next at `due`, if it is. */
  async answered(
    id: string,
    status: 'delivered' | 'failed' | 'expired' | 'pending' | 'held',
    answers: readonly Answer[],
    due: Date | null = null,
  ): Promise<void> {
    for (const [n, { after, status: answer, ms, excerpt }] of answers.entries()) {
      await sql`
        insert into webhook_attempt (store_id, delivery_id, number, at, status, error, ms, excerpt)
        select store_id, id, ${n + 1}, created_at + make_interval(secs => ${after / 1_000}), ${answer}, null, ${ms}, ${excerpt}
        from webhook_delivery where store_id = ${this.#storeId} and id = ${id}`.execute(this.#db);
    }
    const { after = 0, ms = 0 } = answers.at(-1) ?? {};
    await sql`
      update webhook_delivery
      set status = ${status}, attempt = ${answers.length}, due_at = ${due?.toISOString() ?? null},
        finished_at = case when ${due === null} then created_at + make_interval(secs => ${(after + ms) / 1_000}) end
      where store_id = ${this.#storeId} and id = ${id}`.execute(this.#db);
  }

  /** Has a delivery be of an earlier time, and of a run that is forgotten. Returns its id of then. */
  async moved(id: string, at: Date, expiresAt: Date | null = null): Promise<string> {
    const [earlier, runId, time] = [lowestIdAt(at).slice(0, 13) + newId().slice(13), newId(), at.toISOString()];
    const body = sql`regexp_replace(convert_from(body, 'UTF8'), '"timestamp":"[^"]*"', ${`"timestamp":"${time}"`})`;
    await sql`
      update webhook_delivery
      set id = ${earlier}, run_id = ${runId}, created_at = ${time}, expires_at = ${expiresAt?.toISOString() ?? null},
        body = convert_to(regexp_replace(${body}, '"run_id":"[^"]*"', ${`"run_id":"${runId}"`}), 'UTF8')
      where store_id = ${this.#storeId} and id = ${id}`.execute(this.#db);
    return earlier;
  }

  /** A disabled endpoint that wants messages again. */
  async active(endpointId: string): Promise<void> {
    await sql`
      update webhook_endpoint set disabled_reason = null, disabled_at = null
      where store_id = ${this.#storeId} and id = ${endpointId}`.execute(this.#db);
  }

  /** An endpoint that fails, and has a rest. */
  async resting(endpointId: string, failures: number, since: Date, until: Date): Promise<void> {
    await sql`
      update webhook_endpoint
      set failures = ${failures}, failing_since = ${since.toISOString()}, resting_until = ${until.toISOString()}
      where store_id = ${this.#storeId} and id = ${endpointId}`.execute(this.#db);
  }

  /** A disabled endpoint that wants no more messages. */
  async gone(endpointId: string, since: Date): Promise<void> {
    await sql`
      update webhook_endpoint set disabled_reason = 'gone', disabled_at = ${since.toISOString()}
      where store_id = ${this.#storeId} and id = ${endpointId}`.execute(this.#db);
  }
}
