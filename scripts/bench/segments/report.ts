import type { Delays } from '../automations/delays.ts';
import type { Evaluations, Flood } from './measures.ts';

export interface Report {
  node: string;
  cores: number;
  /** Seconds until segments were built: some one after the other, and the others together. */
  builds: { segments: number; seconds: number }[];
  evaluations: Evaluations[];
  floods: Flood[];
  delays: Delays[];
  /** Megabytes of the service's largest process, at its peak. */
  memory: number;
}

/** Formats the report as Markdown tables. */
export function toTables({ node, cores, builds, evaluations, floods, delays, memory }: Report): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `Node ${node}, ${cores} cores. The largest process of the service had ${whole(memory)} MB at most.`,
    '',
    '| Built together | Seconds |',
    '|--:|--:|',
    ...builds.map(({ segments, seconds }) => row(segments, seconds.toFixed(1))),
    '',
    '| Segments | Profiles evaluated | Per second | Per second of CPU of Postgres |',
    '|--:|--:|--:|--:|',
    ...evaluations.map((one) => row(one.segments, whole(one.profiles), whole(one.perSecond), whole(one.perCoreSecond))),
    '',
    '| Flood, to a store without segments and to that with all, in turn | Events/s without | With | Ratio | Behind s |',
    '|---|--:|--:|--:|--:|',
    ...floods.map((one) =>
      row(
        one.name,
        one.without.map(whole).join('; '),
        one.with.map(whole).join('; '),
        one.ratio.toFixed(2),
        one.behind.map((value) => value.toFixed(1)).join('; '),
      ),
    ),
    '',
    '| Delay | Items | p50 ms | p99 ms | Slowest ms |',
    '|---|--:|--:|--:|--:|',
    ...delays.map((one) => row(one.name, whole(one.items), whole(one.p50), whole(one.p99), whole(one.slowest))),
  ].join('\n');
}
