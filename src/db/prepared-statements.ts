import { hash } from 'node:crypto';
import type { Client } from './query-timeout.ts';

/** Maximum statements that a connection prepares; later ones are parsed each time. */
export const MAX_PREPARED = 100;
/** The same where each statement has as many texts as the server has shards; each takes some 65 KB of a connection. */
export const MAX_PREPARED_OF_SHARDS = 400;

/** A statement that is planned. Others could be several, which are not prepared. */
const PLANNED = /^\s*(?:select|with)\s/;

/**
 * Has Postgres parse and plan a statement once per connection rather than each time: for a small batch that costs more than
 * running it, and for what looks for work twenty times as much.
 */
export function prepareStatements(client: Client, max: number): void {
  const names = new Map<unknown, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < max) names.set(text, hash('sha1', text));
    return names.get(text);
  };
  const query = client.query.bind(client);
  client.query = (text, values, ...rest) => {
    const isAlone = typeof text === 'string' && Array.isArray(values) && (values.length > 0 || PLANNED.test(text));
    const name = isAlone ? nameOf(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
}

/** The opposite: has it do so each time, also where the caller asks for a prepared statement. */
export function prepareNothing(client: Client): void {
  const query = client.query.bind(client);
  client.query = (text, ...rest) => {
    if (typeof text !== 'object' || text === null) return query(text, ...rest);
    return query({ ...text, name: undefined }, ...rest);
  };
}
