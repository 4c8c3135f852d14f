import type { Sql } from '../../../db/sql.ts';
import { chainOf } from '../core/machine/origin.ts';
import type { Run } from '../core/machine/run.ts';
import { addToChains, countChains } from '../stored/chains.ts';
import { type Lane, settleLanes } from './lane.ts';
import { tellCut } from './tell-cut.ts';
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
  const wishing = lanes.filter(emits);
  if (wishing.length === 0) return;
  const full = await cutFull(tx, storeId, wishing, now);
  await spread(tx, storeId, wishing.filter(emits), tools, now);
  const cut = [...full, ...(await cutAbove(tx, storeId, wishing.filter(emits), now))];
  if (cut.length > 0) tellCut(tools, storeId, 'events', cut.map(chainOfLane));
}

/** Ends those that may emit nothing more, before they wait for the pace or for whoever counts: others would wait for them. */
async function cutFull(tx: Sql, storeId: string, lanes: readonly Lane[], now: number): Promise<Lane[]> {
  const counts = await countChains(tx, storeId, 'events', [...new Set(lanes.map(chainOfLane))]);
  const full = lanes.filter((lane) => (counts.get(chainOfLane(lane)) ?? 0) >= MAX_EVENTS);
  for (const lane of full) again(lane, { eventsLeft: 0 });
  await settleLanes(tx, storeId, full, now);
  return full;
}

/** Counts what the others emit, and ends those that would emit more than is left. */
async function cutAbove(tx: Sql, storeId: string, emitting: readonly Lane[], now: number): Promise<Lane[]> {
  if (emitting.length === 0) return [];
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
  await settleLanes(tx, storeId, cut, now);
  return cut;
}

/**
 * Those whose time has come have waited for it, and do not wait again. What is more than a chain may emit waits behind it,
 * and keeps no place of its own.
 */
async function spread(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  { pace, chains }: EngineTools,
  now: number,
): Promise<void> {
  const waiting: Lane[] = [];
  for (const lane of lanes) {
    if (runOf(lane).waiting?.for === 'pace') continue;
    const events = chains.pace(chainOfLane(lane), emittedBy(lane), MAX_EVENTS);
    const emitAt = pace.reserve(storeId, events, now);
    if (emitAt > now) waiting.push(again(lane, { emitAt }));
  }
  await settleLanes(tx, storeId, waiting, now);
}

/** Has a lane decided anew, knowing more. */
function again(lane: Lane, facts: Lane['facts']): Lane {
  return Object.assign(lane, { state: lane.before, reactions: [], facts: { ...lane.facts, ...facts } });
}

function emits(lane: Lane): boolean {
  return emittedBy(lane) > 0;
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
