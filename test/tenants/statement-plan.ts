import type pg from 'pg';
import type { Statement } from '../support/statement-tap.ts';

interface Plan {
  'Node Type': string;
  Operation?: string;
  Schema?: string;
  'Relation Name'?: string;
  Output?: string[];
  Plans?: Plan[];
  [property: string]: unknown;
}

/** What a plan says of one of the tables that it reads or writes. */
interface Access {
  table: string;
  /** What its store is held against: parameters, literals or columns; nothing where it is not. */
  stores: string[];
}

const EXPLAINED = /^\s*(?:select|insert|update|delete|with)\b/i;
const PARTITION = /^(event)_\d{4}_\d\d$/;
const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter'];
/** A parameter, a literal, or the store of a row that was read before, which is checked where it was read. */
const STORE = String.raw`(\$\d+|'[^']+'|(?:\w+\.)?store_id\b)`;
const STORE_READ = new RegExp(String.raw`\bstore_id = \(?${STORE}`, 'g');
const STORE_INSERTED = new RegExp(String.raw`^\(*${STORE}`);

/**
 * Tells which tables a statement reads or writes whatever the store, going by its plan; or all, if the stores that it was
 * given in one run differ. Empty where it concerns one store.
 */
export async function openTables(
  client: pg.Client,
  statement: Statement,
  tables: readonly string[],
): Promise<string[]> {
  if (!EXPLAINED.test(statement.text)) {
    return tables.filter((table) => new RegExp(`\\b${table}(?:_\\d{4}_\\d\\d)?\\b`).test(statement.text));
  }
  const accesses = accessesOf(await explain(client, statement), tables);
  const stores = [...new Set(accesses.flatMap((access) => access.stores))];
  const differ = statement.runs.some((run) => new Set(stores.flatMap((store) => valuesIn(store, run))).size > 1);
  const open = differ ? accesses : accesses.filter((access) => access.stores.length === 0);
  return [...new Set(open.map(({ table }) => table))];
}

/** The value of a parameter or a literal; none of a column. */
function valuesIn(store: string, run: Statement['runs'][number]): string[] {
  if (store.startsWith('$')) return [String(run[Number(store.slice(1)) - 1])];
  return store.startsWith("'") ? [store.slice(1, -1)] : [];
}

async function explain(client: pg.Client, { text, runs: [parameters = []] }: Statement): Promise<Plan> {
  await client.query(`prepare explained as ${text}`);
  try {
    const values = parameters.length > 0 ? `(${parameters.map(() => 'null').join(', ')})` : '';
    const { rows } = await client.query(`explain (verbose, format json) execute explained${values}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate explained');
  }
}

function accessesOf(plan: Plan, tables: readonly string[]): Access[] {
  const below = (plan.Plans ?? []).flatMap((part) => accessesOf(part, tables));
  const name = plan['Relation Name'];
  const table = name && (PARTITION.exec(name)?.[1] ?? name);
  if (!table || plan.Schema !== 'public' || !tables.includes(table)) return below;
  // What is changed or deleted, is read below.
  if (plan['Node Type'] === 'ModifyTable' && plan.Operation !== 'Insert') return below;
  return [{ table, stores: plan['Node Type'] === 'ModifyTable' ? storesInserted(plan) : storesRead(plan) }, ...below];
}

function storesRead(plan: Plan): string[] {
  // Of a bitmap, the conditions are those of the indexes, or are checked again.
  const text = CONDITIONS.map((name) => plan[name] ?? '').join(' ');
  return [...text.matchAll(STORE_READ)].map(([, store]) => store as string);
}

/** The store is the first column of every table; a subquery has another name for what its own plan begins with. */
function storesInserted({ Plans = [] }: Plan): string[] {
  const rows = Plans.find((part) => ['Outer', 'Subquery'].includes(part['Parent Relationship'] as string));
  if (!rows) return [];
  const [, found] = STORE_INSERTED.exec(rows.Output?.[0] ?? '') ?? [];
  return found ? [found] : storesInserted(rows);
}
