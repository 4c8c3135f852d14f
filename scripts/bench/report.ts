import type { Result } from './load.ts';

export interface Row extends Result {
  name: string;
  connections: number;
  /** CPU seconds of the service per 1,000 items. */
  cpu: number;
  /** Peak memory of its largest process so far, in MB. */
  memory: number;
  /** The rate of the plain service under the same load, and the ratio to it. */
  plain?: number;
}

export interface Report {
  node: string;
  cores: number;
  seconds: number;
  preloaded: number;
  /** Rows per second that COPY writes, and requests per second that the app serves without a database. */
  floors: { copy: number; noDatabase: number };
  rows: Row[];
  /** Milliseconds of a start with an existing database. */
  secondStart: number;
}

/** Formats the report as a Markdown table. */
export function toTable({ floors, rows, secondStart, ...about }: Report): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const lines = [
    `Node ${about.node}, ${about.cores} cores, ${about.seconds} s for each load, ${whole(about.preloaded)} events stored before.`,
    `Floors: COPY ${whole(floors.copy)} rows/s; the app without a database ${whole(floors.noDatabase)} requests/s.`,
    `A second start: ${whole(secondStart)} ms.`,
    '',
    '| Load | Connections | Items/s | p50 ms | p99 ms | CPU s per 1,000 | Peak MB | Plain service | of COPY |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((row) =>
      [
        '',
        row.name,
        row.connections,
        whole(row.rate),
        row.p50.toFixed(1),
        row.p99.toFixed(1),
        row.cpu.toFixed(3),
        whole(row.memory),
        row.plain ? `${whole(row.plain)}: ${(row.rate / row.plain).toFixed(2)} times` : '',
        (row.rate / floors.copy).toFixed(2),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ];
  return lines.join('\n');
}
