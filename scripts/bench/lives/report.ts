import { Tables, whole } from '../tables.ts';
import type { Beside } from './measure.ts';

export interface Report {
  node: string;
  cores: number;
  events: number;
  rows: Beside[];
}

/** Formats the report as Markdown. */
export function toTables({ node, cores, events, rows }: Report): string {
  const tables = new Tables({ node, cores });
  const turns = (values: readonly number[]) => values.map(whole).join('; ');
  const name = ({ work }: Beside) => (work === 'erasure' ? 'an erasure' : 'a merge');
  tables.add(
    ['Events of another store, in turn beside', 'Events/s without', 'With', 'Ratio', 'p99 ms without', 'With', 'Ratio'],
    rows.map((row) => [
      ...[name(row), turns(row.without.map(({ rate }) => rate)), turns(row.with.map(({ rate }) => rate))],
      ...[row.ratio.rate.toFixed(2), turns(row.without.map(({ p99 }) => p99)), turns(row.with.map(({ p99 }) => p99))],
      row.ratio.p99.toFixed(2),
    ]),
  );
  tables.add(
    [
      `Of a customer with ${whole(events)} events`,
      'Answered, ms',
      'Events/s beside',
      'Alone',
      'CPU s of Postgres for all',
    ],
    rows.map((row) => [
      ...[name(row), whole(row.answered), whole(row.pace), whole(row.alone.rows / row.alone.seconds)],
      whole((row.alone.cpu * 1e6) / row.alone.rows),
    ]),
  );
  return String(tables);
}
