import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The database as the hot path sees it: SQL on a pool of connections. */
export type Sql = Kysely<Tables>;
