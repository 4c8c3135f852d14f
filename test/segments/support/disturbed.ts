import type { Sql } from '../../../src/db/orm.ts';

/** Called once a statement has run, with its text and its parameters; what it throws, the statement throws. */
export type OnStatement = (text: string, parameters: readonly unknown[]) => void | Promise<void>;

/** The database, where something happens as statements are run. */
export function disturbed(db: Sql, onStatement: OnStatement): Sql {
  const running = new Map<unknown, { text: string; parameters: unknown[] }>();
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      running.set(queryId, textOf(node));
      return node;
    },
    async transformResult({ result, queryId }) {
      const { text, parameters } = running.get(queryId) ?? { text: '', parameters: [] };
      running.delete(queryId);
      await onStatement(text, parameters);
      return result;
    },
  });
}

/** As Postgres cancels a statement that takes longer than it may. */
export function cancelled(): Error {
  const message = 'canceling statement due to statement timeout';
  return Object.assign(new Error(message), { severity: 'ERROR', code: '57014' });
}

/** Whom a statement evaluates for segments; nobody if it does something else. */
export function evaluatedBy(text: string, parameters: readonly unknown[]): string[] {
  if (!text.includes('as truths')) return [];
  return parameters.flatMap((one) => (Buffer.isBuffer(one) ? uuidsIn(one) : []));
}

const [UUID, HEADER, ELEMENT] = [2950, 20, 20];

function uuidsIn(array: Buffer): string[] {
  if (array.length < HEADER || array.readInt32BE(8) !== UUID) return [];
  return Array.from({ length: array.readInt32BE(12) }, (_, n) => {
    const hex = array.toString('hex', HEADER + n * ELEMENT + 4, HEADER + (n + 1) * ELEMENT);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  });
}

interface Node {
  kind: string;
  sqlFragments?: readonly string[];
  parameters?: readonly Node[];
  value?: unknown;
}

function textOf(root: unknown): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const visit = (node: Node): string => {
    if (node.kind !== 'RawNode') {
      parameters.push(node.value);
      return '?';
    }
    const values = (node.parameters ?? []).map(visit);
    return (node.sqlFragments ?? []).map((fragment, n) => fragment + (values[n] ?? '')).join('');
  };
  return { text: visit(root as Node), parameters };
}
