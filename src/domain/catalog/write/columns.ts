import { type RawBuilder, sql } from 'kysely';

interface Column {
  type: 'text' | 'text[]' | 'int' | 'boolean' | 'jsonb' | 'uuid';
  /** What a new row has without a value. */
  empty: string;
  /** What becomes of the one that there is, where that is not what it was. */
  kept?: string;
}

/** The columns of a table that patches have values for. */
export type Columns = Readonly<Record<string, Column>>;

const TEXT = { type: 'text', empty: 'null' } as const;
const JSON_OBJECT = { type: 'jsonb', empty: "'{}'" } as const;

const OF_BOTH = {
  title: TEXT,
  sku: TEXT,
  url: TEXT,
  image_url: TEXT,
  prices: JSON_OBJECT,
  stock: { type: 'int', empty: 'null' },
  stock_policy: { type: 'text', empty: "'deny'" },
  available: { type: 'boolean', empty: 'true' },
  attributes: JSON_OBJECT,
} as const satisfies Columns;

export const VARIANT_COLUMNS = { ...OF_BOTH, options: JSON_OBJECT } as const satisfies Columns;

export const ITEM_COLUMNS = {
  ...OF_BOTH,
  description: TEXT,
  images: { type: 'text[]', empty: "'{}'" },
  brand: TEXT,
  status: { type: 'text', empty: "'published'" },
  hidden_because: TEXT,
  feed_id: { type: 'uuid', empty: 'null' },
} as const satisfies Columns;

/** Those of an item that comes: one that was missing is published again. */
export const COMING_ITEM_COLUMNS = {
  ...ITEM_COLUMNS,
  status: {
    ...ITEM_COLUMNS.status,
    kept: "case when o.hidden_because = 'not_in_feed' then 'published' else o.status end",
  },
  hidden_because: { ...TEXT, kept: "nullif(o.hidden_because, 'not_in_feed')" },
} as const satisfies Columns;

/** What tells when stock and prices were told: where one of these changes, so does `stock_at`. */
export const SELLING = ['prices', 'stock', 'stock_policy', 'available'];

export const namesOf = (columns: Columns, of?: string): RawBuilder<unknown> =>
  sql.join(Object.keys(columns).map((name) => sql.ref(of ? `${of}.${name}` : name)));

/**
 * The values of a row once it is patched: of `w.patch` what that has, else of the row `o`, or those of a new one if `o.id`
 * is null.
 */
export function patchedColumns(columns: Columns): RawBuilder<unknown> {
  return sql.join(
    Object.entries<Column>(columns).map(([name, { type, empty, kept }]) => {
      const [key, fallback] = [sql.lit(name), sql.raw(`${empty}::${type}`)];
      const column = kept === undefined ? sql.ref(`o.${name}`) : sql.raw(kept);
      return sql`case when w.patch ? ${key} then ${fromPatch(name, type)}
        when o.id is null then ${fallback} else ${column} end as ${sql.ref(name)}`;
    }),
    sql`,\n      `,
  );
}

function fromPatch(name: string, type: Column['type']): RawBuilder<unknown> {
  const key = sql.lit(name);
  if (type === 'jsonb') return sql`w.patch -> ${key}`;
  if (type === 'text[]') return sql`array(select jsonb_array_elements_text(w.patch -> ${key}))`;
  return sql`(w.patch ->> ${key})${sql.raw(`::${type}`)}`;
}
