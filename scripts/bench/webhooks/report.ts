import { Tables, whole } from '../tables.ts';
import type { Cap, Hanging, Ingest, Throughput } from './measures.ts';

export interface Report {
  node: string;
  cores: number;
  throughput: Throughput[];
  hanging: Hanging | undefined;
  caps: Cap[];
  ingest: Ingest | undefined;
}

/** Formats the report as Markdown: a table for each part that was measured. */
export function toTables({ node, cores, throughput, hanging, caps, ingest }: Report): string {
  const tables = new Tables({ node, cores });
  tables.add(
    ['To receivers that answer in 50 ms, endpoints', 'Deliveries/s', 'Peak MB'],
    throughput.map(({ endpoints, rate, memory }) => [endpoints, whole(rate), whole(memory)]),
  );
  const turns = (values: readonly number[]) => values.map(whole).join('; ');
  tables.add(
    ['p99 of the delay to nine endpoints, in turn', 'The tenth answers, ms', 'It hangs, ms', 'Ratio'],
    hanging ? [['', turns(hanging.without), turns(hanging.with), hanging.ratio.toFixed(2)]] : [],
  );
  tables.add(
    ['Most per second, over two processes', 'Sent/s', 'Share', 'Most within a second'],
    caps.map(({ asked, rate, most }) => [asked, rate.toFixed(1), (rate / asked).toFixed(3), most]),
  );
  tables.add(
    ['Single events', 'Events/s without a queue', 'With', 'Ratio', 'Deliveries/s meanwhile'],
    ingest ? [['', turns(ingest.without), turns(ingest.with), ingest.ratio.toFixed(2), ingest.sent.toFixed(1)]] : [],
  );
  return String(tables);
}
