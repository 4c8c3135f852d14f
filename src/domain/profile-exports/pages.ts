import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { candidates } from '../reading/cursor.ts';
import { LOOKED_AT } from '../sweeps/step.ts';
import type { Section } from './section.ts';
import type { Exported } from './subject.ts';

/** Rows that are read at once; fewer if they are large. */
const PAGE = 500;
/** Bytes of a row besides what may be large in it. */
const ROW_BYTES = 1_000;

/** The values of a row as JSON, by the names of its columns; null where there is none. */
export type ExportedRow = Readonly<Record<string, string | null>>;

/** Runs a statement once it may have a connection, which it gives back: an export may take as long as its reader. */
export type Read = <Result>(work: (db: Sql) => Promise<Result>) => Promise<Result>;

/** Reads the rows of a section, a bounded page at a time; a page may have none. */
export async function* readSection(read: Read, of: Exported, section: Section): AsyncGenerator<ExportedRow[]> {
  if (section.isScanned) {
    yield* readScanned(read, of, section);
    return;
  }
  for (const id of section.findsAll ? [of.profileId] : of.ids) yield* readPages(read, of, section, { id });
}

/** Some rows of the table at a time: those of the customer among them are read, and a page without rows says that there are none. */
async function* readScanned(read: Read, of: Exported, section: Section): AsyncGenerator<ExportedRow[]> {
  for (let after: string | undefined; ; ) {
    const last = await read((db) => lookAhead(db, of.storeId, section, after));
    if (last === undefined) return;
    yield* readPages(read, of, section, { id: of.profileId, after: after === undefined ? [] : [after], until: last });
    yield [];
    after = last;
  }
}

async function lookAhead(
  db: Sql,
  storeId: string,
  { isScanned }: Section,
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id from ${sql.table(isScanned as string)}
      where store_id = ${storeId} ${after === undefined ? sql`` : sql`and id > ${after}::uuid`}
      order by store_id, id limit ${LOOKED_AT}
    ) slice
    order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}

interface Range {
  id: string;
  after?: readonly string[];
  /** The last `id` that is read. */
  until?: string;
}

async function* readPages(read: Read, of: Exported, section: Section, range: Range): AsyncGenerator<ExportedRow[]> {
  for (let after = range.after ?? []; ; ) {
    const { rows, next } = await read((db) => readPage(db, of, section, { ...range, after }));
    if (rows.length > 0) yield rows;
    if (!next) return;
    after = next;
  }
}

/** Names that no column has. */
type Row = ExportedRow & { ' place': string[]; ' candidates': number };

async function readPage(
  db: Sql,
  of: Exported,
  { columns, key, rows: rowsOf, bytes = sql`0` }: Section,
  { id, after = [], until }: Range,
): Promise<{ rows: ExportedRow[]; next: readonly string[] | undefined }> {
  const keys = Object.entries(key);
  const order = sql.join(keys.map(([name]) => sql.ref(name)));
  const onwards =
    after.length === 0
      ? sql`true`
      : sql`(${order}) > (${sql.join(keys.map(([, type], i) => sql`${after[i]}::${sql.raw(type)}`))})`;
  const range = until === undefined ? onwards : sql`${onwards} and id <= ${until}::uuid`;
  const query = sql`select * from (${rowsOf(of, id, after[0])}) own where ${range} order by ${order}`;
  const values = Object.entries(columns).map(([name, value]) => sql`(${value})::text as ${sql.ref(name)}`);
  const { rows } = await sql<Row>`
    select ${sql.join(values)}, array[${sql.join(keys.map(([name]) => sql`r.${sql.ref(name)}::text`))}] as " place",
      r.candidates as " candidates"
    from ${candidates(query, PAGE, sql`(${bytes}) + ${ROW_BYTES}::int`)} r
    order by ${sql.join(keys.map(([name]) => sql`r.${sql.ref(name)}`))}`.execute(db);
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return { rows: shown, next: last && last[' candidates'] > shown.length ? last[' place'] : undefined };
}
