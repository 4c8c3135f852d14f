import { sql } from 'kysely';
import { generate } from '../load.ts';
import type { Target } from '../service.ts';
import { ofShare, ofShop, STARTING_SHOPS } from './definitions.ts';
import type { Stage, Store } from './stage.ts';

export interface Ingest {
  name: string;
  /** Events per second with nothing live, and with ten automations live, each in turn. */
  without: number[];
  with: number[];
  ratio: number;
  /** Seconds after the last load until all was read and done. */
  behind: number;
}

const LOADS = [
  { name: 'single events', scenario: 'visit', connections: 128 },
  { name: 'bulk of 1,000 events', scenario: 'visits', connections: 8 },
];
/** Which events are read. One in a hundred starts a run either way. */
const KINDS = { 'of whose types one event in a hundred is': ofShop, 'that read all events': ofShare };

/** Sends the same loads to stores without live automations and with ten, in turns. */
export async function measureIngest(
  stage: Stage,
  service: Target,
  { seconds, turns }: { seconds: number; turns: number },
): Promise<Ingest[]> {
  const results: Ingest[] = [];
  const send = async (store: Store, load: (typeof LOADS)[number], run: string, duration = seconds) => {
    await sql`checkpoint`.execute(stage.sql);
    const { rate } = await generate({ ...load, url: service.url, key: store.key, seconds: duration, run });
    return rate;
  };
  const idle = await stage.newStore();
  for (const [kind, definition] of Object.entries(KINDS)) {
    const busy = await stage.newStore();
    for (let shop = 0; shop < STARTING_SHOPS; shop += 1) await stage.publish(busy, definition(shop));
    for (const load of LOADS) {
      const own: Ingest = {
        name: `${load.name}, beside automations ${kind}`,
        without: [],
        with: [],
        ratio: 0,
        behind: 0,
      };
      // Part of addresses, and new each time.
      const run = `load${results.length}`;
      for (const store of [idle, busy]) await send(store, load, `${run}-warm-up`, 2);
      for (let turn = 0; turn < turns; turn += 1) {
        own.without.push(await send(idle, load, `${run}-${turn}`));
        own.with.push(await send(busy, load, `${run}-${turn}`));
        const start = performance.now();
        await stage.untilIdle(busy);
        own.behind = (performance.now() - start) / 1000;
      }
      own.ratio = sum(own.with) / sum(own.without);
      results.push(own);
    }
  }
  return results;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
