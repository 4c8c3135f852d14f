import type { SegmentDefinition } from '../../definitions.ts';

/** A single condition. */
export type Leaf = Exclude<SegmentDefinition, { all: unknown } | { any: unknown } | { not: unknown }>;
