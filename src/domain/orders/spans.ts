import { type RawBuilder, sql } from 'kysely';
import { timestamps } from '../../db/binary-arrays.ts';
import type { Interval } from './ranges.ts';

/** From a time to before another, in milliseconds. */
export type Span = Pick<Interval, 'from' | 'to'>;

/** Spans as rows `s` of `first`, `last` and `n`, the place of each, from 1. */
export const spansAs = (spans: readonly Span[]): RawBuilder<unknown> => sql`unnest(
    ${timestamps(spans.map(({ from }) => new Date(from)))}::timestamptz[],
    ${timestamps(spans.map(({ to }) => new Date(to)))}::timestamptz[]
  ) with ordinality as s (first, last, n)`;
