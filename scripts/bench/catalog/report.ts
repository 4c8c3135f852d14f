import type { Delays } from '../automations/delays.ts';
import { Tables, whole } from '../tables.ts';
import type { Ingest } from './ingest.ts';
import type { Loading } from './loading.ts';

export interface Report {
  node: string;
  cores: number;
  loading: Loading[];
  ingest: Ingest | undefined;
  starts: Delays[];
  reading: Delays[];
}

/** Formats the report as Markdown: a table for each part that was measured. */
export function toTables({ node, cores, loading, ingest, starts, reading }: Report): string {
  const tables = new Tables({ node, cores });
  tables.add(
    ['Items in bulk', 'Items', 'Items/s', 'Items per second of CPU', 'CPU s', 'of Postgres', 'Rows written'],
    loading.map(({ name, items, seconds, cpu, databaseCpu, rowsWritten }) => [
      ...[name, whole(items), whole(items / seconds), whole(items / (cpu + databaseCpu))],
      ...[cpu.toFixed(1), databaseCpu.toFixed(1), whole(rowsWritten)],
    ]),
  );
  const turns = (values: readonly number[]) => values.map(whole).join('; ');
  tables.add(
    ['Single events, in turn', 'Events/s without', 'With', 'Ratio', 'CPU ms each without', 'With'],
    ingest
      ? [
          [
            ...['of orders that name items', turns(ingest.without), turns(ingest.with), ingest.ratio.toFixed(2)],
            ...[ingest.cpu.without.toFixed(3), ingest.cpu.with.toFixed(3)],
          ],
        ]
      : [],
  );
  const times = (delays: readonly Delays[]) =>
    delays.map(({ name, items, p50, p99, slowest }) => [
      ...[name, items, p50.toFixed(1), p99.toFixed(1), slowest.toFixed(1)],
    ]);
  tables.add(['Starts of automations', 'Runs', 'p50 ms', 'p99 ms', 'Slowest ms'], times(starts));
  tables.add(['Requests, one after another', 'Requests', 'p50 ms', 'p99 ms', 'Slowest ms'], times(reading));
  return String(tables);
}
