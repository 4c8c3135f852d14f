import type { ChainKind } from '../stored/chains.ts';
import type { EngineTools } from './tools.ts';

const MESSAGES: Record<ChainKind, string> = {
  events: 'runs ended as too many events had followed from one',
  runs: 'runs did not start as too many had followed from one',
};

/** Counts runs that were cut, by the chain of each, and warns of each chain once: very many runs may follow. */
export function reportCut(tools: EngineTools, storeId: string, kind: ChainKind, cut: readonly string[]): void {
  tools.onCut(cut.length);
  const chains = tools.chains.unlogged(cut, kind);
  if (chains.length > 0) tools.log.warn({ store_id: storeId, chains }, MESSAGES[kind]);
}
