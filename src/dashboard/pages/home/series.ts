import type { EventStats } from '../../../client/index.ts';

/** Types that are shown by themselves. */
const MOST = 6;
/** Of about the same weight on light and on dark. */
const COLORS = [
  'indigo.6',
  'teal.6',
  'orange.6',
  'grape.6',
  'cyan.7',
  'pink.6',
  'lime.8',
  'red.7',
  'blue.5',
  'yellow.8',
  'violet.5',
  'green.8',
];
const OTHERS = { name: 'Other types', color: 'gray.6' };

/** The colours that were given to types: each keeps its own, whatever its rank in the time that is shown. */
const given = new Map<string, string>();

export interface Series {
  name: string;
  color: string;
  total: number;
  counts: number[];
}

/** The most frequent types by themselves, all others as one. */
export function seriesOf({ series, buckets }: Pick<EventStats, 'series' | 'buckets'>): Series[] {
  const named = series.filter(({ event_type }) => event_type !== null).slice(0, MOST);
  const rest = series.filter((one) => !named.includes(one));
  // By name, so that a page that is loaded anew gives the same ones.
  for (const { event_type } of [...named].sort(byName)) colorOf(event_type as string);
  const shown = named.map(({ event_type, total, counts }) => ({
    name: event_type as string,
    color: colorOf(event_type as string),
    total,
    counts,
  }));
  if (rest.length === 0) return shown;
  const counts = buckets.map((_, index) => rest.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0));
  return [...shown, { ...OTHERS, total: rest.reduce((sum, { total }) => sum + total, 0), counts }];
}

type Named = Pick<EventStats['series'][number], 'event_type'>;
const byName = (a: Named, b: Named) => ((a.event_type ?? '') < (b.event_type ?? '') ? -1 : 1);

/** The colour of a type: one that its name leads to, or the next one that no other type has. */
function colorOf(name: string): string {
  const known = given.get(name);
  if (known) return known;
  const first = hashOf(name) % COLORS.length;
  const inTurn = [...COLORS.slice(first), ...COLORS.slice(0, first)];
  const taken = new Set(given.values());
  const color = inTurn.find((one) => !taken.has(one)) ?? furtherColor(given.size);
  given.set(name, color);
  return color;
}

/** Turning by the golden angle, no two come close to each other for long. */
function furtherColor(n: number): string {
  return `hsl(${((n * 137.508) % 360).toFixed(1)} 45% 48%)`;
}

function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) as number)) % 1_000_003;
  return hash;
}
