import type { Sql } from '../../../db/sql.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { chainOf } from '../core/machine/origin.ts';
import type { Run } from '../core/machine/run.ts';
import { addToChains, type ChainKind, countChains } from '../stored/chains.ts';
import { type Entrant, settle } from './entrant.ts';
import type { EngineTools } from './tools.ts';

/** Runs that start by what other runs did, and events that runs emit, because of one thing that came from outside. */
const [MAX_RUNS, MAX_EVENTS] = [1_000, 1_000];

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
  for (let cut = cutStarts(before, starts); cut.length > 0; cut = cutStarts(before, starts)) {
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
function cutStarts(before: ReadonlyMap<string, number>, starts: readonly Start[]): Start[] {
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
  const cut = [...full, ...(await cutEmitting(tx, storeId, wishing.filter(emits), now))];
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
async function cutEmitting(tx: Sql, storeId: string, emitting: readonly Entrant[], now: number): Promise<Entrant[]> {
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

const MESSAGES: Record<ChainKind, string> = {
  events: 'runs ended as too many events had followed from one',
  runs: 'runs did not start as too many had followed from one',
};

/** Counts runs that were cut, by the chain of each, and warns of each chain once: very many runs may follow. */
function reportCut(tools: EngineTools, storeId: string, kind: ChainKind, cut: readonly string[]): void {
  tools.onCut(cut.length);
  const chains = tools.chains.unlogged(cut, kind);
  if (chains.length > 0) tools.log.warn({ store_id: storeId, chains }, MESSAGES[kind]);
}
