import { randomUUID } from 'node:crypto';
import type { Client as PgClient } from 'pg';
import { isStatementError } from './driver-errors.ts';
import { prepareNothing } from './prepared-statements.ts';
import { type Client, withCallback } from './query-timeout.ts';

/** Settings of Postgres by its names for them. */
export type PostgresSettings = Record<string, string | number>;

/**
 * A pooler such as PgBouncer between the service and Postgres. In its transaction mode, it lends a connection to Postgres
 * for one transaction at a time: what is set or locked beyond that would stay behind for others.
 */
export interface Pooler {
  /** Whether statements that are prepared on a connection to it are known whichever connection it lends. */
  preparesStatements: boolean;
}

/** Tells whether a pooler is between a connection and Postgres. */
export async function isPooled(client: PgClient): Promise<boolean> {
  const { rows } = await client.query(`select ${hasOtherBackend(client)} as is_pooled`);
  return rows[0].is_pooled;
}

/** A pooler gives its clients numbers of its own, under which to cancel. */
function hasOtherBackend(client: PgClient): string {
  return `pg_backend_pid() <> ${(client as PgClient & { processID: number }).processID}`;
}

/**
 * Has a new connection use some settings: for good, or behind a pooler in each transaction, and without another round
 * trip either way. Returns the pooler, if there is one.
 */
export async function applySettings(client: PgClient, settings: PostgresSettings): Promise<Pooler | undefined> {
  const condition = hasOtherBackend(client);
  // Where there is a pooler, none of them outlasts this statement.
  const sets = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${condition})`);
  const { rows } = await client.query(`select ${[`${condition} as is_pooled`, ...sets].join(', ')}`);
  if (!rows[0].is_pooled) return undefined;
  const pooler = { preparesStatements: await preparesStatements(client) };
  if (!pooler.preparesStatements) prepareNothing(client as Client);
  setInTransactions(client, settings);
  return pooler;
}

/**
 * Tells whether the pooler knows of prepared statements, as PgBouncer does since 1.21: it then has names of its own for
 * them. Under the name that it was given, a statement would be known to one of the server's connections alone.
 */
async function preparesStatements(client: PgClient): Promise<boolean> {
  const name = `footfall_${randomUUID()}`;
  await client.query('begin');
  try {
    await client.query({ name, text: 'select' });
    const { rows } = await client.query(`select from pg_prepared_statements where name = '${name}'`);
    if (rows.length === 0) return true;
    await client.query(`deallocate "${name}"`);
    return false;
  } catch (error) {
    if (isStatementError(error)) return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

const BEGIN = /^(?:begin|start transaction)\b/i;

/** Begins each transaction with the settings, and puts every statement into one. All is sent at once. */
function setInTransactions(client: PgClient, settings: PostgresSettings): void {
  const sets = Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`);
  const withSettings = (begin: string) => [begin, ...sets].join('; ');
  const wrapped = client as Client & { pipeline: boolean };
  const query = wrapped.query.bind(client);
  wrapped.query = withCallback(async ([statement, ...rest]) => {
    if (client.getTransactionStatus() !== 'I') return query(statement, ...rest);
    if (typeof statement === 'string' && BEGIN.test(statement)) return query(withSettings(statement));
    const answers = [query(withSettings('begin')), query(statement, ...rest), query('commit')];
    // Until all have come, the connection is not free.
    const outcomes = await Promise.allSettled(answers);
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return (outcomes[1] as PromiseFulfilledResult<unknown>).value;
  });
  wrapped.pipeline = true;
  const end = wrapped.end.bind(client);
  wrapped.end = (...args: []) => {
    // With it, a connection is closed only once all queries are answered, which those that time out never may be.
    wrapped.pipeline = false;
    return end(...args);
  };
}
