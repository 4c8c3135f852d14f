import type { Delays } from '../automations/delays.ts';
import type { Result } from '../load.ts';
import { Tables, whole } from '../tables.ts';
import type { CampaignResult } from './campaigns.ts';
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
  campaign: CampaignResult | undefined;
  clicks: Pick<Result, 'rate' | 'p50' | 'p99'> | undefined;
}

/** Formats the report as Markdown: a table for each part that was measured. */
export function toTables({ node, cores, rendering, throughput, delays, ingest, campaign, clicks }: Report): string {
  const tables = new Tables({ node, cores });
  tables.add(['Rendering alone', 'Messages/s'], rendering === undefined ? [] : [['', whole(rendering)]]);
  tables.add(
    ['Rendered and handed over', 'Messages/s', 'CPU ms each', 'of Postgres', 'Peak MB'],
    throughput.map(({ name, rate, cpu, databaseCpu, memory }) => [
      name,
      whole(rate),
      cpu.toFixed(2),
      databaseCpu.toFixed(2),
      whole(memory),
    ]),
  );
  tables.add(
    ['Delay', 'Messages', 'p50 ms', 'p99 ms', 'Slowest ms'],
    delays ? [[delays.name, delays.items, whole(delays.p50), whole(delays.p99), whole(delays.slowest)]] : [],
  );
  const turns = (values: readonly number[]) => values.map(whole).join('; ');
  tables.add(
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
  tables.add(
    [
      'Campaign',
      'Recipients found alone, s',
      'Beside events, s',
      'Events/s without',
      'With',
      'Bytes each',
      'Paused after ms',
    ],
    campaign
      ? [
          [
            `${whole(campaign.recipients)} recipients`,
            campaign.alone.toFixed(1),
            campaign.beside.toFixed(1),
            whole(campaign.without),
            whole(campaign.with),
            whole(campaign.bytes),
            whole(campaign.pauseMs),
          ],
        ]
      : [],
  );
  tables.add(
    ['Clicks', 'Per second', 'p50 ms', 'p99 ms'],
    clicks ? [['on links of messages', whole(clicks.rate), clicks.p50.toFixed(1), clicks.p99.toFixed(1)]] : [],
  );
  return String(tables);
}
