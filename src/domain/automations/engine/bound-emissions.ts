import type { Sql } from '../../../db/sql.ts';
import { chainOf } from '../core/machine/origin.ts';
import type { Run } from '../core/machine/run.ts';
import { addToChains, countChains } from '../stored/chains.ts';
import { type Entrant, settle } from './entrant.ts';
import { reportCut } from './report-cut.ts';
import type { EngineTools } from './tools.ts';

/** Events that runs emit, because of one that came from outside. */
export const MAX_EVENTS = 1_000;

/**
 * Has runs wait that emit more events than their store may at a time, and ends those by which more than 1,000 would follow
 * from what they began with. Each entrant has one run, which is due.
 */
export async function boundEmissions(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  const wishing = entrants.filter(emits);
  if (wishing.length === 0) return;
  const full = await cutFull(tx, storeId, wishing, now);
  await spread(tx, storeId, wishing.filter(emits), tools, now);
  const cut = [...full, ...(await cutAbove(tx, storeId, wishing.filter(emits), now))];
  if (cut.length > 0) reportCut(tools, storeId, 'events', cut.map(chainOfEntrant));
}

/** Ends those that may emit nothing more, before they wait for the pace or for whoever counts: others would wait for them. */
async function cutFull(tx: Sql, storeId: string, entrants: readonly Entrant[], now: number): Promise<Entrant[]> {
  const counts = await countChains(tx, storeId, 'events', [...new Set(entrants.map(chainOfEntrant))]);
  const full = entrants.filter((entrant) => (counts.get(chainOfEntrant(entrant)) ?? 0) >= MAX_EVENTS);
  for (const entrant of full) again(entrant, { eventsLeft: 0 });
  await settle(tx, storeId, full, now);
  return full;
}

/** Counts what the others emit, and ends those that would emit more than is left. */
async function cutAbove(tx: Sql, storeId: string, emitting: readonly Entrant[], now: number): Promise<Entrant[]> {
  if (emitting.length === 0) return [];
  const wanted = new Map<string, number>();
  for (const entrant of emitting)
    wanted.set(chainOfEntrant(entrant), (wanted.get(chainOfEntrant(entrant)) ?? 0) + emittedBy(entrant));
  const before = await addToChains(tx, storeId, 'events', wanted);
  const cut: Entrant[] = [];
  for (const entrant of emitting) {
    const chain = chainOfEntrant(entrant);
    const left = Math.max(0, MAX_EVENTS - (before.get(chain) ?? 0));
    before.set(chain, (before.get(chain) ?? 0) + emittedBy(entrant));
    if (left < emittedBy(entrant)) cut.push(again(entrant, { eventsLeft: left }));
  }
  await settle(tx, storeId, cut, now);
  return cut;
}

/**
 * Those whose time has come have waited for it, and do not wait again. What is more than a chain may emit waits behind it,
 * and keeps no place of its own.
 */
async function spread(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  { pace, chains }: EngineTools,
  now: number,
): Promise<void> {
  const waiting: Entrant[] = [];
  for (const entrant of entrants) {
    if (runOf(entrant).waiting?.for === 'pace') continue;
    const events = chains.pace(chainOfEntrant(entrant), emittedBy(entrant), MAX_EVENTS);
    const emitAt = pace.reserve(storeId, events, now);
    if (emitAt > now) waiting.push(again(entrant, { emitAt }));
  }
  await settle(tx, storeId, waiting, now);
}

/** Has an entrant decided anew, knowing more. */
function again(entrant: Entrant, facts: Entrant['facts']): Entrant {
  return Object.assign(entrant, { state: entrant.before, reactions: [], facts: { ...entrant.facts, ...facts } });
}

function emits(entrant: Entrant): boolean {
  return emittedBy(entrant) > 0;
}

function emittedBy({ reactions }: Entrant): number {
  return reactions.flatMap(({ effects }) => effects).filter(({ type }) => type === 'emit_event').length;
}

function runOf({ before }: Entrant): Run {
  return before.runs[0] as Run;
}

function chainOfEntrant(entrant: Entrant): string {
  return chainOf(runOf(entrant));
}
