import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType, Selectable } from 'kysely';
import type { ENTITIES } from './entities/index.ts';

type Inferred = InferKyselyDB<(typeof ENTITIES)[number]>;

/** What the driver returns of a time: the text that Postgres sends. Only the entity manager makes a `Date` of it. */
type Returned<Value> = Value extends Date ? string : Value;

type Column<Value> =
  Value extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Returned<Selected>, Inserted, Updated>
    : ColumnType<Returned<Value>, Value, Value>;

/** The tables as the entities describe them, for Kysely. */
export type Tables = { [Table in keyof Inferred]: { [Name in keyof Inferred[Table]]: Column<Inferred[Table][Name]> } };

/** A row of a table, as a statement returns it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
