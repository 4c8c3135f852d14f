import type { Sql } from '../../../db/sql.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { chainOf } from '../core/machine/origin.ts';
import { addToChains } from '../stored/chains.ts';
import { type Lane, settleLanes } from './lane.ts';
import { tellCut } from './tell-cut.ts';
import type { EngineTools } from './tools.ts';

/** Runs that start by what other runs did, because of one thing that came from outside. */
export const MAX_RUNS = 1_000;

/** A run that starts, and by which of the things that its lane is told. */
interface Start {
  lane: Lane;
  index: number;
  chain: string;
}

/** Has no more than so many runs start that follow from the same, whatever automations there are. */
export async function boundStarts(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  let starts = lanes.flatMap(startsOf);
  if (starts.length === 0) return;
  const before = await addToChains(tx, storeId, 'runs', countsOf(starts));
  for (let cut = cutAbove(before, starts); cut.length > 0; cut = cutAbove(before, starts)) {
    tellCut(
      tools,
      storeId,
      'runs',
      cut.map(({ chain }) => chain),
    );
    await settleLanes(tx, storeId, [...new Set(cut.map(({ lane }) => lane))], now);
    starts = lanes.flatMap(startsOf);
  }
}

/** What was started by something from outside follows from nothing else. */
function startsOf(lane: Lane): Start[] {
  if (lane.fault) return [];
  return lane.reactions.flatMap(({ runs }, index) => {
    const input = lane.told[index]?.input;
    const started = input && isLed(input) ? runs.find(({ id }) => id === input.runId) : undefined;
    return started && started.depth > 0 ? [{ lane, index, chain: chainOf(started) }] : [];
  });
}

/** Cuts the first start of each lane that is one too many, with all that follows there from the same. */
function cutAbove(before: ReadonlyMap<string, number>, starts: readonly Start[]): Start[] {
  const count = new Map(before);
  const cut = new Map<string, Start>();
  for (const start of starts) {
    const { lane, chain } = start;
    const known = count.get(chain) ?? 0;
    if (known < MAX_RUNS) count.set(chain, known + 1);
    else if (!cut.has(keyOf(start))) {
      cut.set(keyOf(start), start);
      cutFrom(start);
      Object.assign(lane, { state: lane.before, reactions: [] });
    }
  }
  return [...cut.values()];
}

function keyOf({ lane, chain }: Start): string {
  return `${lane.automationId} ${lane.profileId} ${chain}`;
}

function cutFrom({ lane, index, chain }: Start): void {
  lane.told = lane.told.map((told, i) => {
    const { input } = told;
    return i >= index && isLed(input) && chainOfInput(input) === chain
      ? { ...told, input: { ...input, isCut: true } }
      : told;
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
