import type { Delays } from '../automations/delays.ts';
import type { Ingest } from './ingest.ts';
import type { Throughput } from './measures.ts';

export interface Report {
  node: string;
  cores: number;
  /** Messages rendered in a second. */
  rendering: number | undefined;
  throughput: Throughput[];
  delays: Delays | undefined;
  ingest: Ingest[];
}

/** Formats the report as Markdown: a table for each part that was measured. */
export function toTables({ node, cores, rendering, throughput, delays, ingest }: Report): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const lines = [`Node ${node}, ${cores} cores.`];
  const table = (columns: string[], rows: (string | number)[][]) => {
    if (rows.length === 0) return;
    lines.push('', `| ${columns.join(' | ')} |`, `|---${'|--:'.repeat(columns.length - 1)}|`);
    for (const row of rows) lines.push(`| ${row.join(' | ')} |`);
  };
  table(['Rendering alone', 'Messages/s'], rendering === undefined ? [] : [['', whole(rendering)]]);
  table(
    ['Rendered and handed over', 'Messages/s', 'CPU ms each', 'of Postgres', 'Peak MB'],
    throughput.map(({ name, rate, cpu, databaseCpu, memory }) => [
      name,
      whole(rate),
      cpu.toFixed(2),
      databaseCpu.toFixed(2),
      whole(memory),
    ]),
  );
  table(
    ['Delay', 'Messages', 'p50 ms', 'p99 ms', 'Slowest ms'],
    delays ? [[delays.name, delays.items, whole(delays.p50), whole(delays.p99), whole(delays.slowest)]] : [],
  );
  const turns = (values: readonly number[]) => values.map(whole).join('; ');
  table(
    ['Single events, in turn', 'Events/s without', 'With', 'Ratio', 'Messages/s meanwhile', 'Peak MB'],
    ingest.map((one) => [
      one.name,
      turns(one.without),
      turns(one.with),
      one.ratio.toFixed(2),
      whole(one.sent),
      whole(one.memory),
    ]),
  );
  return lines.join('\n');
}
