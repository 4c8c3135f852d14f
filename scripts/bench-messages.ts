/**
 * Measures the sending of messages in one run on this machine.
 *
 *   npm run bench:messages -- [--seconds 8] [--turns 2] [--recipients 1000000] [--only rendering,throughput,delays,ingest,idle,campaigns,clicks] [--json]
 *
 * Fails if a message that was queued does not arrive.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { Stage } from './bench/automations/stage.ts';
import { measureCampaign } from './bench/messages/campaigns.ts';
import { measureClicks } from './bench/messages/clicks.ts';
import { measureIdle, measureSending } from './bench/messages/ingest.ts';
import { SENDABLE } from './bench/messages/mails.ts';
import { measureDelays, measureThroughput } from './bench/messages/measures.ts';
import { measureRendering } from './bench/messages/rendering.ts';
import { type Report, toTables } from './bench/messages/report.ts';
import { Sink } from './bench/messages/sink.ts';
import { startRedis } from './bench/processes.ts';
import { LISTENING, startService, type Target } from './bench/service.ts';

const RATE = 200;
const PARTS = 'rendering,throughput,delays,ingest,idle,campaigns,clicks';

exitWithHelpIfAsked(`Measures the sending of messages to a server of mail on this machine that takes everything: how many are
rendered per second, how many rendered and handed over, without a DKIM signature and with one, how long after an event the
message of its automation arrives, and what sending costs the recording of events, at full speed and with nothing to send; how long a campaign takes to find its
recipients and to pause, and how many clicks on links are taken.
Usage: npm run bench:messages -- [--seconds 8] [--turns 2] [--recipients 1000000] [--only ${PARTS}] [--json]
  --seconds     how long each load runs
  --turns       how often each load of events runs without messages and with them
  --recipients  how many the campaign has
  --only        what to measure
  --json        prints the report as JSON
It uses its own database, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    turns: { type: 'string', default: '2' },
    recipients: { type: 'string', default: '1000000' },
    only: { type: 'string', default: PARTS },
    json: { type: 'boolean', default: false },
  },
});
const [seconds, turns] = [Number(options.seconds), Number(options.turns)];
const isAsked = (part: string) => options.only.split(',').includes(part);

const stage = await Stage.open();
const redis = await startRedis();
const report: Report = {
  node: process.version,
  cores: availableParallelism(),
  rendering: undefined,
  throughput: [],
  delays: undefined,
  ingest: [],
  campaign: undefined,
  clicks: undefined,
};

/** Does some work beside a service. */
async function besideService(settings: NodeJS.ProcessEnv, work: (service: Target) => Promise<void>): Promise<void> {
  const env = { ...SENDABLE, WORKERS: '1', ...settings };
  const service = await startService(stage.database.url, redis.url, { ready: LISTENING, settings: env });
  try {
    await work(service);
  } finally {
    await service.process.stop();
  }
}

try {
  await using sink = await Sink.start();
  const load = { redis: redis.url, seconds, turns };
  if (isAsked('rendering') || isAsked('throughput')) {
    await besideService({ MESSAGE_CONCURRENCY: '0' }, async (service) => {
      if (isAsked('rendering')) report.rendering = await measureRendering(stage, service, seconds);
      if (!isAsked('throughput')) return;
      const count = 1_500 * seconds;
      const measure = (name: string, more: object) => measureThroughput(stage, service, sink, { name, count, more });
      report.throughput.push(await measure('unsigned', {}));
      report.throughput.push(await measure('signed, RSA of 2,048 bits', { dkim_selector: 's1', dkim_signing: true }));
    });
  }
  if (isAsked('delays')) {
    await besideService({}, async (service) => {
      report.delays = await measureDelays(stage, service, sink, { rate: RATE, seconds: seconds * 2 });
    });
  }
  if (isAsked('ingest')) report.ingest.push(await measureSending(stage, sink, load));
  if (isAsked('idle')) report.ingest.push(await measureIdle(stage, load));
  if (isAsked('campaigns')) {
    await besideService({}, async (service) => {
      const recipients = Number(options.recipients);
      report.campaign = await measureCampaign(stage, service, sink, { recipients, seconds: seconds * 2 });
    });
  }
  if (isAsked('clicks')) {
    await besideService({}, async (service) => {
      report.clicks = await measureClicks(stage, service, seconds);
    });
  }
  console.log(options.json ? JSON.stringify(report) : toTables(report));
} finally {
  await redis.stop();
  await stage.close();
}
