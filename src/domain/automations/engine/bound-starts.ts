import type { Sql } from '../../../db/sql.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { chainOf } from '../core/machine/origin.ts';
import { addToChains } from '../stored/chains.ts';
import { type Entrant, settle } from './entrant.ts';
import { reportCut } from './report-cut.ts';
import type { EngineTools } from './tools.ts';

/** Runs that start by what other runs did, because of one thing that came from outside. */
export const MAX_RUNS = 1_000;

/** A run that starts, and by which of the inputs of its entrant. */
interface Start {
  entrant: Entrant;
  index: number;
  chain: string;
}

/** Has no more than so many runs start that follow from the same, whatever automations there are. */
export async function boundStarts(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  let starts = entrants.flatMap(startsOf);
  if (starts.length === 0) return;
  const before = await addToChains(tx, storeId, 'runs', countsOf(starts));
  for (let cut = cutAbove(before, starts); cut.length > 0; cut = cutAbove(before, starts)) {
    reportCut(
      tools,
      storeId,
      'runs',
      cut.map(({ chain }) => chain),
    );
    await settle(tx, storeId, [...new Set(cut.map(({ entrant }) => entrant))], now);
    starts = entrants.flatMap(startsOf);
  }
}

/** What was started by something from outside follows from nothing else. */
function startsOf(entrant: Entrant): Start[] {
  if (entrant.fault) return [];
  return entrant.reactions.flatMap(({ runs }, index) => {
    const input = entrant.inputs[index]?.input;
    const started = input && isLed(input) ? runs.find(({ id }) => id === input.runId) : undefined;
    return started && started.depth > 0 ? [{ entrant, index, chain: chainOf(started) }] : [];
  });
}

/** Cuts the first start of each entrant that is one too many, with all that follows there from the same. */
function cutAbove(before: ReadonlyMap<string, number>, starts: readonly Start[]): Start[] {
  const count = new Map(before);
  const cut = new Map<string, Start>();
  for (const start of starts) {
    const { entrant, chain } = start;
    const known = count.get(chain) ?? 0;
    if (known < MAX_RUNS) count.set(chain, known + 1);
    else if (!cut.has(keyOf(start))) {
      cut.set(keyOf(start), start);
      cutFrom(start);
      Object.assign(entrant, { state: entrant.before, reactions: [] });
    }
  }
  return [...cut.values()];
}

function keyOf({ entrant, chain }: Start): string {
  return `${entrant.automationId} ${entrant.profileId} ${chain}`;
}

function cutFrom({ entrant, index, chain }: Start): void {
  entrant.inputs = entrant.inputs.map((one, i) => {
    const { input } = one;
    return i >= index && isLed(input) && chainOfInput(input) === chain
      ? { ...one, input: { ...input, isCut: true } }
      : one;
  });
}

type Led = Extract<Occurrence, { isCut?: boolean }>;

function isLed(input: Input): input is Led {
  return input.type === 'event' || input.type === 'change' || input.type === 'segment';
}

function chainOfInput(input: Led): string {
  const { chain, id } = input.type === 'event' ? input.event : input.type === 'change' ? input.change : input.move;
  return chain ?? id;
}

function countsOf(starts: readonly Start[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { chain } of starts) counts.set(chain, (counts.get(chain) ?? 0) + 1);
  return counts;
}
