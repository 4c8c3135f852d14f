import type { Sql } from '../../../db/sql.ts';
import { chainOf } from '../core/machine/origin.ts';
import type { Run } from '../core/machine/run.ts';
import { addToChains } from '../stored/chains.ts';
import { type Lane, settleLanes } from './lane.ts';
import type { EngineTools } from './tools.ts';

/** Events that runs emit, because of one that came from outside. */
export const MAX_EVENTS = 1_000;

/**
 * Has runs wait that emit more events than their store may at a time, and ends those by which more than 1,000 would follow
 * from what they began with. Each lane has one run, which is due.
 */
export async function boundEmissions(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  if (lanes.every((lane) => emittedBy(lane) === 0)) return;
  await spread(tx, storeId, lanes, tools, now);
  const emitting = lanes.filter((lane) => emittedBy(lane) > 0);
  const wanted = new Map<string, number>();
  for (const lane of emitting) wanted.set(chainOfLane(lane), (wanted.get(chainOfLane(lane)) ?? 0) + emittedBy(lane));
  const before = await addToChains(tx, storeId, 'events', wanted);
  const cut: Lane[] = [];
  for (const lane of emitting) {
    const chain = chainOfLane(lane);
    const left = Math.max(0, MAX_EVENTS - (before.get(chain) ?? 0));
    before.set(chain, (before.get(chain) ?? 0) + emittedBy(lane));
    if (left < emittedBy(lane)) cut.push(again(lane, { eventsLeft: left }));
  }
  if (cut.length === 0) return;
  await settleLanes(tx, storeId, cut, now);
  tools.onCut(cut.length);
  const chains = [...new Set(cut.map(chainOfLane))];
  tools.log.warn({ store_id: storeId, chains }, 'runs ended as too many events had followed from one');
}

/** Those whose time has come have waited for it, and do not wait again. */
async function spread(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  { pace }: EngineTools,
  now: number,
): Promise<void> {
  const waiting: Lane[] = [];
  for (const lane of lanes) {
    const events = emittedBy(lane);
    if (events === 0 || runOf(lane).waiting?.for === 'pace') continue;
    const emitAt = pace.reserve(storeId, events, now);
    if (emitAt > now) waiting.push(again(lane, { emitAt }));
  }
  await settleLanes(tx, storeId, waiting, now);
}

/** Has a lane decided anew, knowing more. */
function again(lane: Lane, facts: Lane['facts']): Lane {
  return Object.assign(lane, { state: lane.before, reactions: [], facts: { ...lane.facts, ...facts } });
}

function emittedBy({ reactions }: Lane): number {
  return reactions.flatMap(({ effects }) => effects).filter(({ type }) => type === 'emit_event').length;
}

function runOf({ before }: Lane): Run {
  return before.runs[0] as Run;
}

function chainOfLane(lane: Lane): string {
  return chainOf(runOf(lane));
}
