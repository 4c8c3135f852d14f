import type { Rate } from './backlogs.ts';
import type { Delays } from './delays.ts';
import type { Ingest } from './ingest.ts';

export interface Report {
  node: string;
  cores: number;
  ingest: Ingest[];
  rates: Rate[];
  delays: Delays[];
  /** Megabytes of the service's largest process: at its peak, and at the end. */
  memory: { peak: number; end: number };
}

/** Formats the report as Markdown tables. */
export function toTables({ node, cores, ingest, rates, delays, memory }: Report): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `Node ${node}, ${cores} cores. The largest process of the service: ${whole(memory.end)} MB, at most ${whole(memory.peak)} MB.`,
    '',
    '| Ingest, with nothing live and with ten automations, in turn | Events/s without | With | Ratio | Behind s |',
    '|---|--:|--:|--:|--:|',
    ...ingest.map((one) =>
      row(
        one.name,
        one.without.map(whole).join('; '),
        one.with.map(whole).join('; '),
        one.ratio.toFixed(2),
        one.behind.toFixed(1),
      ),
    ),
    '',
    '| Backlog | Processes | Items | Per second | CPU ms each | CPU ms of Postgres each | Peak MB |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rates.map((one) =>
      row(
        one.name,
        one.processes,
        whole(one.items),
        whole(one.rate),
        one.cpu.toFixed(3),
        one.databaseCpu.toFixed(3),
        whole(one.memory),
      ),
    ),
    '',
    '| Delay | Items | p50 ms | p99 ms | Slowest ms |',
    '|---|--:|--:|--:|--:|',
    ...delays.map((one) => row(one.name, whole(one.items), whole(one.p50), whole(one.p99), whole(one.slowest))),
  ].join('\n');
}
