import { leavesOf, type Path } from './condition.ts';
import { conditionsOf } from './conditions-of.ts';
import type { Definition } from './definition.ts';

export type AudienceKind = 'list' | 'segment';

/** A list or a segment of the store, by its id in lower case. */
export interface Audience {
  kind: AudienceKind;
  id: string;
}

/** One that a definition names, and where. */
export interface NamedAudience extends Audience {
  path: Path;
}

/** Returns every list and segment that a definition names, as often as it does. */
export function audiencesNamed(definition: Definition): NamedAudience[] {
  return conditionsOf(definition).flatMap((placed) =>
    [...leavesOf(placed.condition, placed.path)].flatMap(({ leaf, path }): NamedAudience[] => {
      if ('list' in leaf) return [{ kind: 'list', id: leaf.list.toLowerCase(), path: [...path, 'list'] }];
      if ('segment' in leaf) return [{ kind: 'segment', id: leaf.segment.toLowerCase(), path: [...path, 'segment'] }];
      return [];
    }),
  );
}
