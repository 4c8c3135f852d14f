import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { EventInput } from '../../src/client/index.ts';
import type { OrmDatabase } from '../../src/db/orm.ts';
import { type ApiKeys, generateKey } from '../../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../../src/domain/caller.ts';

/** What the key of a store is called once the store is filled, and until then. */
const FILLED = 'Demo';
const UNFINISHED = 'Demo, not filled yet';
/** Milliseconds for which the service knows again what was asked for before. */
const KNOWN_MS = 30 * 24 * 60 * 60 * 1000;

/** One filling of a store, which may be interrupted and goes on where it was: what is done has a name in it, once. */
export class Filling {
  /** That of its API key. */
  readonly id: string;
  /** Where its three months end. */
  readonly begunAt: Date;

  constructor({ id, createdAt }: { id: string; createdAt: Date }) {
    this.id = id;
    this.begunAt = createdAt;
  }

  /** The idempotency key of what is to be done once. */
  once(what: string): { idempotency_key: string } {
    return { idempotency_key: `demo ${this.id} ${what}` };
  }

  /** Events of which each is recorded once. */
  events(what: string, events: readonly EventInput[], from = 0): EventInput[] {
    return events.map((event, n) => ({ ...event, ...this.once(`${what} ${from + n}`) }));
  }
}

/** Begins to fill a store, with a new key. */
export async function begin(keys: ApiKeys, storeId: string): Promise<{ filling: Filling; key: string }> {
  const { record, key } = await keys.create({ storeId, name: UNFINISHED, scopes: SCOPES, tier: 'standard' });
  return { filling: new Filling(record), key };
}

/** Returns the filling of a store that was interrupted, if there is one. */
export async function findInterrupted(keys: ApiKeys, storeId: string): Promise<Filling | undefined> {
  const found = (await keys.list(storeId)).find(({ name, revokedAt }) => name === UNFINISHED && revokedAt === null);
  return found && Date.now() - found.createdAt.getTime() < KNOWN_MS ? new Filling(found) : undefined;
}

/** The store is filled: it is not gone on with. */
export async function finish({ sql: db }: Pick<OrmDatabase, 'sql'>, { id }: Filling): Promise<void> {
  await sql`update api_key set name = ${FILLED} where id = ${id}`.execute(db);
}

/** Gives an API key another secret, as the one that it had is stored nowhere. */
export async function renewKey({ sql: db }: Pick<OrmDatabase, 'sql'>, id: string): Promise<string> {
  const key = generateKey();
  await sql`update api_key set hash = ${hash('sha256', key, 'buffer')} where id = ${id}`.execute(db);
  return key;
}
