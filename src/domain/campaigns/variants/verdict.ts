/** What became of a variant, of those who try it. */
export interface VariantCounts {
  /** From 1. */
  variant: number;
  recipients: number;
  /** Messages that were handed over and have not come back, and how many of these were opened and clicked by people. */
  sent: number;
  opened: number;
  clicked: number;
  /** Those that led to an order which was not taken back. */
  ordered: number;
}

export interface Comparison {
  /** Whether the best is better than the next one with a confidence of 95 %. */
  isClear: boolean;
  /** Null while no message of any has arrived. */
  best: number | null;
  /** In one sentence. */
  explanation: string;
}

/** Standard deviations beyond which chance alone leads in fewer than 5 of 100 tests. */
export const Z_95 = 1.96;
/** Of each outcome, by the rate of both together: with fewer the distribution is not yet a normal one. */
const MIN_EXPECTED = 5;

type By = 'clicks' | 'opens' | 'orders';

const COUNTS = { clicks: 'clicked', opens: 'opened', orders: 'ordered' } as const;
/** What so many of a hundred did with a variant. */
const VERBS = { clicks: 'was clicked by', opens: 'was opened by', orders: 'led to orders of' } as const;

/** Compares the best variant with the next one by a test of two proportions. The first of equals is the better one. */
export function compareVariants(counts: readonly VariantCounts[], by: By): Comparison {
  const hits = (one: VariantCounts) => one[COUNTS[by]];
  const rate = (one: VariantCounts) => hits(one) / one.sent;
  const arrived = counts.filter(({ sent }) => sent > 0).sort((a, b) => rate(b) - rate(a) || a.variant - b.variant);
  const [best, next] = arrived;
  if (!best) return { isClear: false, best: null, explanation: 'No message of any variant has arrived so far.' };
  if (!next) {
    const explanation = `Only messages of variant ${best.variant} have arrived.`;
    return { isClear: false, best: best.variant, explanation };
  }
  const said = (one: VariantCounts) => `ariant ${one.variant} ${VERBS[by]} ${percent(rate(one))}`;
  const rates = `V${said(best)}, v${said(next)}`;
  const found = compareRates({ hits: hits(best), of: best.sent }, { hits: hits(next), of: next.sent });
  if (found === 'few') {
    return { isClear: false, best: best.variant, explanation: `${rates}: these are too few to tell them apart.` };
  }
  const isClear = found === 'clear';
  const explanation = isClear
    ? `${rates}: by chance alone, such a difference shows in fewer than 5 of 100 tests.`
    : `${rates}: such a difference may well be chance.`;
  return { isClear, best: best.variant, explanation };
}

interface Part {
  hits: number;
  of: number;
}

/** Compares two rates by a test of two proportions; of nobody there is none. */
export function compareRates(one: Part, other: Part): 'few' | 'unclear' | 'clear' {
  const both = (one.hits + other.hits) / (one.of + other.of);
  if (Math.min(one.of, other.of) * Math.min(both, 1 - both) < MIN_EXPECTED) return 'few';
  const spread = Math.sqrt(both * (1 - both) * (1 / one.of + 1 / other.of));
  return Math.abs(one.hits / one.of - other.hits / other.of) >= Z_95 * spread ? 'clear' : 'unclear';
}

export function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

/** What a test came to: a winner, or why there is none. */
export type Decision =
  | { verdict: 'significant' | 'unclear' | 'unopposed'; winner: number }
  | { verdict: null; reason: 'test_unclear' | 'test_failed' };

/** Decides which variant the rest get. One of which no message arrived never wins, unless nobody was to try any. */
export function decide(counts: readonly VariantCounts[], by: By, ifUnclear: 'first' | 'wait'): Decision {
  const { isClear, best } = compareVariants(counts, by);
  const arrived = counts.filter(({ sent }) => sent > 0);
  const wereTried = counts.some(({ recipients }) => recipients > 0);
  if (best === null && wereTried) return { verdict: null, reason: 'test_failed' };
  if (best !== null && isClear) return { verdict: 'significant', winner: best };
  if (best !== null && arrived.length === 1) return { verdict: 'unopposed', winner: best };
  if (ifUnclear === 'wait') return { verdict: null, reason: 'test_unclear' };
  return { verdict: 'unclear', winner: Math.min(...(arrived.length > 0 ? arrived : counts).map((one) => one.variant)) };
}
