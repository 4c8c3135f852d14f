import { type Audience, type AudienceKind, audienceOf } from '../../../conditions/audience.ts';
import type { Condition } from '../../../conditions/condition.ts';
import { leavesOf, type Path } from '../../../conditions/tree.ts';
import { conditionsOf } from './conditions-of.ts';
import type { Definition } from './definition.ts';
import { listOf } from './steps.ts';
import { scheduledAudience, segmentOf, triggerListOf } from './uses.ts';

/** One that a definition names, and where. */
export interface NamedAudience extends Audience {
  path: Path;
}

/** Returns every list and segment that a definition names, as often as it does. */
export function audiencesNamed(definition: Definition): NamedAudience[] {
  const ofTrigger = (kind: AudienceKind, id: string | null): NamedAudience[] =>
    id === null ? [] : [{ kind, id, path: ['trigger', kind] }];
  return [
    ...ofTrigger('segment', segmentOf(definition)),
    ...ofTrigger('list', triggerListOf(definition)),
    ...[scheduledAudience(definition)].flatMap((one) => (one ? ofTrigger(one.kind, one.id) : [])),
    ...audiencesOfRuns(definition),
  ];
}

/** Returns those that its conditions and steps name: runs need them, also where none starts any more. */
export function audiencesOfRuns(definition: Definition): NamedAudience[] {
  const changed = definition.steps.flatMap((step, i): NamedAudience[] => {
    const id = listOf(step);
    return id === undefined ? [] : [{ kind: 'list', id, path: ['steps', i, 'list'] }];
  });
  return [...conditionsOf(definition).flatMap(({ condition, path }) => audiencesIn(condition, path)), ...changed];
}

/** Returns those that waits of a definition name: a run may go on when its customer joins or leaves one. */
export function awaitedAudiences({ steps }: Definition): NamedAudience[] {
  return steps.flatMap((step, i) => {
    if (step.type !== 'wait') return [];
    return step.for.flatMap((one, k) => ('when' in one ? audiencesIn(one.when, ['steps', i, 'for', k, 'when']) : []));
  });
}

function audiencesIn(condition: Condition, base: Path): NamedAudience[] {
  return [...leavesOf(condition, base)].flatMap(({ leaf, path }): NamedAudience[] => {
    const audience = audienceOf(leaf);
    return audience ? [{ ...audience, path: [...path, audience.kind] }] : [];
  });
}
