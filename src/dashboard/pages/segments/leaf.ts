import type { SegmentDefinition } from '../../../client/index.ts';

/** A single condition. */
export type Leaf = Exclude<SegmentDefinition, { all: unknown } | { any: unknown } | { not: unknown }>;
